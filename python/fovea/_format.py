"""Defines the formats of pictures, as data only, so that _fovea can import this module."""

import dataclasses
import fractions
import operator


_Rate = fractions.Fraction | float | str | tuple[int, int] | None


def _as_rate(rate: _Rate) -> fractions.Fraction | None:
    """Frames per second as a Fraction: of a string such as "30000/1001", of a number, or None."""
    if rate is None or isinstance(rate, fractions.Fraction):
        return rate
    if isinstance(rate, tuple):
        return fractions.Fraction(*rate)
    return fractions.Fraction(rate).limit_denominator(1001)


@dataclasses.dataclass(frozen=True)
class Format:
    """The format of a picture: planar Y'CbCr.

    width, height: of luma, in samples; 0: as the arrays have it.
    chroma: "4:2:0", "4:2:2", "4:4:4", "4:0:0"; None: as the arrays have it. Odd sizes are rounded up.
    depth: bits per sample, 8 to 16; above 8 they are the low bits of uint16. 0: 8.
    range: "limited", "full" or None (not known). rate: frames per second, a Fraction, a number, or None.
    transfer, primaries, matrix: names such as "bt709" or code points of ITU-T H.273 as text, or None.
    siting: "left", "center", "topleft", "top", "bottomleft", "bottom" or None.
    peak: of the mastering display in cd/m2; 0: not known.
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
                    raise TypeError(f"{field.name} is {value!r}; it is a whole number") from None
            elif value is not None and not isinstance(value, str):
                raise TypeError(f"{field.name} is {value!r}; it is a string or None")
        try:
            rate = _as_rate(self.rate)
        except (TypeError, ValueError, ArithmeticError) as error:
            raise (TypeError if isinstance(error, TypeError) else ValueError)(
                f"rate is {self.rate!r}; it is a number, a Fraction or text such as '30000/1001'") from None
        if rate is not None and not rate > 0:
            raise ValueError(f"rate is {self.rate!r}; it is above 0")
        object.__setattr__(self, "rate", rate)
