"""The measures: each declared once, in the file of its family; everything else derives from that.

To add one, write a decorated function in the file of its family (a new family: import it below).
The config check, the tables and the report then know it, and the measures of other installed
packages likewise.
"""

from qampaign.measures import abstention, confidence, lists, ranked, validation
from qampaign.measures.declaration import MEASURES, Measure
from qampaign.plugins import load_plugins

__all__ = ["MEASURES", "Measure", "abstention", "confidence", "lists", "ranked", "validation"]

load_plugins("qampaign.measures")
