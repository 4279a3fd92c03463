"""The signs that numerals are written with in Japanese and Chinese, and where a numeral begins."""

IDEOGRAPHS = {sign: value for value, sign in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2}
POWERS = {"十": 10, "百": 100, "千": 1000}
MYRIADS = {"万": 10**4, "萬": 10**4, "億": 10**8, "亿": 10**8, "兆": 10**12}
DIGITS = "".join(IDEOGRAPHS)
SCALES = "".join([*POWERS, *MYRIADS])
IDEOGRAPHIC = DIGITS + SCALES

BEGINS = r"(?<![^\W_々〇ー\u3041-\u30ff\u3400-\u9fff])"
"""No word goes on here; in scripts without gaps a numeral may begin anywhere."""
