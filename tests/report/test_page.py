"""The page: everything that is in the tables, as text, and nothing from anywhere else."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import polars as pl
import pytest

from qampaign.report.page import detail, fixed, render, span
from qampaign.report.views import arrange
from report_campaign import RUNS, frame, tables, together

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    '"><b onclick="x">',
    "{{ 7 * 7 }}",
    "a\u2028b\u2029c",
    "<!--",
]
