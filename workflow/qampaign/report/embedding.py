"""Data and code inside a page: data that no browser runs, and no code but our own."""

import base64
import hashlib
import json

from markupsafe import Markup

# In JSON inside HTML, none of these may end the element, open a comment or break a line.
JSON_ESCAPES = {sign: f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def embed(value: object) -> Markup:
    """JSON for a script element.

    >>> print(embed({"run": "</script>"}))
    {"run":"\\u003c/script\\u003e"}
    """
    code = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign, escape in JSON_ESCAPES.items():
        code = code.replace(sign, escape)
    return Markup(code)


def executable(code: str) -> Markup:
    """Code for a script element; code that could end the element is refused."""
    if "</script" in code.lower() or "<!--" in code or "\r" in code:
        raise ValueError(
            "this script cannot be embedded in a page: it would end or alter its element"
        )
    return Markup(code)


def policy(*scripts: str) -> str:
    """What the page allows the browser: these scripts, inline styles, and no connection."""
    digests = (hashlib.sha256(script.encode("utf-8")).digest() for script in scripts)
    allowed = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
