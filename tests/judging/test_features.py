"""What a text becomes before its letters are compared."""

import polars as pl
import pytest

from qampaign.judging.features import _bytes


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (None, " "),
        ("", " "),
        ("...", " "),
        ("New York", " new york "),
        ("  it's: 9-10 A.M.! ", " it s 9 10 a m "),
        ("ÉCOLE, n° 2", " école n 2 "),
        ("漢字。x½", " 漢字 x½ "),
    ],
)
def test_letters_and_digits_are_kept_in_small_letters(text: str | None, kept: str) -> None:
    found, starts = _bytes(pl.Series([text], dtype=pl.String))
    assert (found.tobytes().decode(), starts.tolist()) == (kept, [0, len(kept.encode())])


def test_texts_stand_one_after_the_other() -> None:
    found, starts = _bytes(pl.Series(["A b", None, "Ä-b"]))
    assert found.tobytes().decode() == " a b   ä b "
    assert starts.tolist() == [0, 5, 6, 12]
    found, starts = _bytes(pl.Series([], dtype=pl.String))
    assert (found.tobytes(), starts.tolist()) == (b"", [0])
