"""Which responses an agreement is counted over, in the words of the report and the terminal."""

MATCHED = "that both have judged, except those that both call not attempted"
