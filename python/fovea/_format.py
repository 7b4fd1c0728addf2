"""Defines the formats of pictures, as data only, so that _fovea can import this module."""

import dataclasses
import fractions
import operator


_Rate = fractions.Fraction | float | str | tuple[int, int] | None


def _as_rate(rate: _Rate) -> fractions.Fraction | None:
    """Returns a rate, such as "30000/1001" or a number, as a Fraction; None for None."""
    if rate is None or isinstance(rate, fractions.Fraction):
        return rate
    if isinstance(rate, tuple):
        return fractions.Fraction(*rate)
    return fractions.Fraction(rate).limit_denominator(1001)


@dataclasses.dataclass(frozen=True)
class Format:
    """The format of a picture: planar Y'CbCr.

    width, height: size of luma in samples; 0: the size of the arrays.
    chroma: "4:2:0", "4:2:2", "4:4:4" or "4:0:0"; None: it follows from the arrays. Odd chroma sizes are rounded up.
    depth: bits per sample, 8 to 16; 0: 8. Samples of more than 8 bits are the low bits of uint16.
    range: "limited", "full", or None if unknown. rate: frames per second, a Fraction or a number; None if unknown.
    transfer, primaries, matrix: names such as "bt709" or code points of ITU-T H.273 as text; None if unknown.
    siting: "left", "center", "topleft", "top", "bottomleft" or "bottom"; None if unknown.
    peak: peak luminance of the mastering display in cd/m2; 0: unknown.
    """
    width: int = 0
    height: int = 0
    chroma: str | None = None
    depth: int = 0
    range: str | None = None
    rate: _Rate = None
    transfer: str | None = None
    primaries: str | None = None
    matrix: str | None = None
    siting: str | None = None
    peak: int = 0

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if field.name == "rate":
                continue
            if isinstance(field.default, int):
                try:
                    operator.index(value)
                except TypeError:
                    raise TypeError(f"{field.name} is {value!r}; it must be a whole number") from None
            elif value is not None and not isinstance(value, str):
                raise TypeError(f"{field.name} is {value!r}; it must be a string or None")
        try:
            rate = _as_rate(self.rate)
        except (TypeError, ValueError, ArithmeticError) as error:
            raise (TypeError if isinstance(error, TypeError) else ValueError)(
                f"rate is {self.rate!r}; it must be a number, a Fraction or text such as '30000/1001'") from None
        if rate is not None and not rate > 0:
            raise ValueError(f"rate is {self.rate!r}; it must be above 0")
        object.__setattr__(self, "rate", rate)
