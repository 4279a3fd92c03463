"""The tables that people query: gathered, compared with the last ones, written whole."""
