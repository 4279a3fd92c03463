"""What is packed in a zip: members stored, deflated, or packed by zstd; damaged ones, and bombs."""

import io
import sys
import zlib
from collections import Counter
from collections.abc import Sequence

from qampaign.input.formats import Fault, Unreadable, too_large

if sys.version_info >= (3, 14):
    import zipfile

    from compression.zstd import ZstdError
else:  # the first zipfile that knows zstd is that of Python 3.14
    from backports.zstd import ZstdError, zipfile

DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    ZstdError,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)
"""What reading a damaged or encrypted zip can raise."""


class Archive:
    """The members of a zip."""

    def __init__(self, content: bytes, unpacked_gb: float) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content))
        except DAMAGED as error:
            fault = Fault(f"is a damaged or incomplete zip ({_reason(error)})", "a complete zip")
            raise Unreadable(fault) from None
        self._left = int(unpacked_gb * 10**9)
        self._unpacked_gb = unpacked_gb
        if sum(info.file_size for info in self._zip.infolist()) > self._left:
            raise Unreadable(too_large(unpacked_gb))

    @property
    def names(self) -> Sequence[str]:
        """The names of the members, in their order; one that is there twice is named once."""
        return list(dict.fromkeys(self._zip.namelist()))

    @property
    def repeated(self) -> Sequence[str]:
        """The names that several members have."""
        counts = Counter(self._zip.namelist())
        return [name for name, count in counts.items() if count > 1]

    def read(self, name: str) -> bytes:
        """The bytes of a member; of several with one name, the last. Raises ValueError."""
        try:
            with self._zip.open(name) as member:
                # the sizes that a zip states need not be so: no more is unpacked at once than that
                content = member.read(self._zip.getinfo(name).file_size + 1)
        except DAMAGED as error:
            raise ValueError(_reason(error)) from None
        self._left -= len(content)
        if self._left < 0:
            raise Unreadable(too_large(self._unpacked_gb))
        return content


def _reason(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
