"""What a zip may do to memory, whatever it says of itself."""

import tracemalloc

import pytest

from qampaign.input.logs.archive import Archive
from tests.helpers.logs import DEFLATED, ZSTD, zipped


@pytest.mark.parametrize("packing", [DEFLATED, ZSTD])
def test_a_member_is_unpacked_no_further_than_the_zip_says(packing: int) -> None:
    """The zip says 100 bytes of a member that has 50,000,000: never are as many kept."""
    content = bytearray(zipped({"a": "x" * 50_000_000}, packing))
    size = content.rfind(b"PK\x01\x02") + 24
    content[size : size + 4] = (100).to_bytes(4, "little")
    archive = Archive(bytes(content), unpacked_gb=1)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="CRC"):
            archive.read("a")
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
