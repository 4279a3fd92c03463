"""Raw files into the campaign's database, with every fault found on the way."""
