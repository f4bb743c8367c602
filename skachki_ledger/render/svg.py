"""Pages of geometry as SVG: one file, pages one below the other, text as text, names escaped.

Colours stand as attributes, for programs that read no style sheet; classes let a document that holds
the picture recolour it.
"""

from collections.abc import Sequence

from ..geometry import CENTRE, HEIGHT, WIDTH, Circle, Item, Line, Path, Sheet, Text, Turned

FACE = "'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace"
"""Faces whose letters are 0.6 em wide, or nearly; `textLength` sees to the rest."""

COLOURS = {
    "text": "#1c1c1c",
    "ink": "#1f3a93",
    "prize": "#b01818",
    "quiet": "#6b6b6b",
    "frame": "#444444",
    "thin": "#8a8a8a",
    "faint": "#cccccc",
    "paper": "#ffffff",
    "s1": "#1f3a93",
    "s2": "#b01818",
    "s3": "#1b7a3d",
    "s4": "#9a5b00",
}
"""What a style of geometry looks like on paper."""

DASHES = {"s2": "6 2", "s3": "2 2", "s4": "8 2 2 2"}
"""How the lines of four seats differ without colour."""

WEIGHTS = {"frame": 1.1, "thin": 0.7, "faint": 0.5}

_ILLEGAL = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF), "\ufffd")
_ILLEGAL |= {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&quot;", ord("'"): "&#39;"}


def escaped(text: str) -> str:
    """Return a text as it stands in XML and HTML, in content and in attributes.

    >>> escaped("<b>&'")
    '&lt;b&gt;&amp;&#39;'
    """
    return text.translate(_ILLEGAL)


def pages(sheets: Sequence[Sheet], title: str) -> str:
    """Return one SVG document with the pages one below the other."""
    height = HEIGHT * len(sheets)
    body = [
        f'<g transform="translate(0 {number(place * HEIGHT)})">\n{"".join(map(_item, sheet.items))}</g>\n'
        if place
        else "".join(map(_item, sheet.items))
        for place, sheet in enumerate(sheets)
    ]
    return _document("".join(body), WIDTH, height, title)


def document(items: Sequence[Item], width: float, height: float, title: str) -> str:
    """Return one picture as an SVG document."""
    return _document("".join(map(_item, items)), width, height, title)


def _document(body: str, width: float, height: float, title: str) -> str:
    wide, high = number(width), number(height)
    paper = f'<rect width="{wide}" height="{high}" fill="#ffffff"/>\n'
    start = _opening(f"0 0 {wide} {high}", title, f' width="{wide}pt" height="{high}pt"')
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{start}{paper}{body}</svg>\n'


def inline(items: Sequence[Item], box: str, title: str) -> str:
    """Return a picture for an HTML document, which gives it its size and colours."""
    return f"{_opening(box, title)}{''.join(map(_item, items))}</svg>\n"


def _opening(box: str, title: str, size: str = "") -> str:
    """Return the start tag of a picture with its title."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"{size} font-family="{FACE}" role="img">\n'
        f"<title>{escaped(title)}</title>\n"
    )


def number(value: float) -> str:
    """Return a length with two decimals at most.

    >>> [number(value) for value in (2.0, 0.125, -0.001)]
    ['2', '0.12', '0']
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _item(item: Item) -> str:
    match item:
        case Text():
            return _text(item)
        case Line():
            x1, y1, x2, y2 = map(number, item[:4])
            ends = f'x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"'
            return f'<line class="{item.style}" {ends}{_stroke(item.style)}/>\n'
        case Circle():
            place = f'cx="{number(item.x)}" cy="{number(item.y)}" r="{number(item.radius)}"'
            return f'<circle class="{item.style}" {place} fill="#ffffff"{_stroke(item.style)}/>\n'
        case Path():
            return _path(item)
        case Turned():
            return _turned(item)


def _stroke(style: str) -> str:
    return f' stroke="{COLOURS[style]}" stroke-width="{WEIGHTS.get(style, 1.6)}"'


def _path(item: Path) -> str:
    points = " ".join(f"{number(x)},{number(y)}" for x, y in item.points)
    dashes = f' stroke-dasharray="{DASHES[item.style]}"' if item.style in DASHES else ""
    return (
        f'<polyline class="{item.style}" points="{points}" fill="none"{_stroke(item.style)} '
        f'stroke-linejoin="round"{dashes}/>\n'
    )


def _turned(item: Turned) -> str:
    inside = "".join(map(_item, item.items))
    if not item.degrees:
        return f"<g>\n{inside}</g>\n"
    x, y = map(number, CENTRE)
    return f'<g transform="rotate({item.degrees} {x} {y})">\n{inside}</g>\n'


def _text(item: Text) -> str:
    """Return a text held to its length, but for a lone figure, which is left as wide as it is."""
    extra = "" if len(item.text) == 1 else f' textLength="{number(item.width)}" {_STRETCH}'
    extra += f' fill="{COLOURS[item.style]}"'
    extra += ' font-weight="bold"' if item.bold else ""
    if item.underlined or item.struck:
        extra += f' text-decoration="{"underline" if item.underlined else "line-through"}"'
    place = f'x="{number(item.x)}" y="{number(item.y)}" font-size="{number(item.size)}"'
    return f'<text class="{item.style}" {place}{extra}>{escaped(item.text)}</text>\n'


_STRETCH = 'lengthAdjust="spacingAndGlyphs"'
