"""Which responses an agreement is counted over, in the words of the report and the terminal."""

MATCHED = "that both have judged, apart from what both call not attempted"
