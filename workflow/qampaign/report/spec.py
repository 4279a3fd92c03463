"""The specification of a chart, in Vega-Lite or in Vega."""

from typing import Any

Spec = dict[str, Any]
"""A specification, or a part of one, by Vega's names."""
