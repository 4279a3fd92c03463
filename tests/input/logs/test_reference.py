"""The page of the formats of logs is that of today's declarations, and its configs are right."""

import re
from pathlib import Path

import pytest
import yaml

from qampaign.config.campaign import read_campaign
from qampaign.input.logs.formats import LOG_FORMATS
from qampaign.input.logs.reference import page
from tests.helpers.tiny_campaign import ROOT


def test_the_committed_page_is_up_to_date() -> None:
    assert (ROOT / "docs/formats.md").read_text(encoding="utf-8") == page(), "run make docs"


@pytest.mark.parametrize("name", LOG_FORMATS)
def test_each_format_has_a_config_that_can_be_used(name: str) -> None:
    (text, *_) = re.findall(
        r"```yaml\n(campaign:.*?)```", LOG_FORMATS[name].documentation, re.DOTALL
    )
    assert len(text.splitlines()) <= 8
    campaign = read_campaign(yaml.safe_load(text), [Path("config.yaml")])
    assert all(each.logs for each in campaign.collections.values())
