# What type checkers see: the module itself imports it late.
from qampaign.results import Results as Results
