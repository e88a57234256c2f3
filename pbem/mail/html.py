"""HTML to lines: hidden things out, what a program marks as a quote put behind `>`."""

import re

from resiliparse.extract.html2text import extract_plain_text
from selectolax.lexbor import LexborHTMLParser, LexborNode

_UNSEEN = (
    "script, style, head, title, template, noscript, object, svg, [hidden],"
    " s, strike, del, #ms-outlook-mobile-signature"
)
_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all"
    r"|(?:font-size|max-height|opacity)\s*:\s*0(?:\.0+)?(?:px|pt|em|%)?\s*(?:;|$)"
    # Who strikes out an order does not want it.
    r"|text-decoration[^;]*line-through",
    re.IGNORECASE,
)
_SEEN_BREAKS = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)
# Where mail programs put the mail that is answered.
_QUOTES = (
    "blockquote, .gmail_quote, .gmail_quote_container, .gmail_attr, .moz-cite-prefix,"
    " .moz-forward-container, .protonmail_quote, [class*=yahoo_quoted], .gmx_quote,"
    " div[name=quote], .zmail_extra, .tutanota_quote, #mail-editor-reference-message-container,"
    " .ms-outlook-mobile-reference-message, #OLK_SRC_BODY_SECTION, #reply-intro,"
    " [name=messageReplySection], [data-marker=__HEADERS__], [data-marker=__QUOTED_TEXT__],"
    " .airmail_on, .gmail_quote_attribution, .domino-section"
)
# These stand at the head of the answered mail, which goes on to the end of the page.
_QUOTE_HEADS = (
    "#divRplyFwdMsg, #x_divRplyFwdMsg, #appendonsend, #x_appendonsend, #stopSpelling,"
    " .OutlookMessageHeader"
)
_BORDER_TOP = re.compile(r"border-top\s*:\s*[^;]*solid", re.IGNORECASE)
_BORDER_LEFT = re.compile(r"border-left\s*:\s*[^;]*(?:solid|double)", re.IGNORECASE)
_LABEL = re.compile(r"^\W*\w[\w .]{0,20}:", re.MULTILINE)
_INDENT = re.compile(r"border(?:-left)?\s*:\s*(?:none|0)", re.IGNORECASE)
_FORWARDED = re.compile(r"-{5,}")
# Letters of no alphabet hold the place of a quote while HTML becomes text.
_PLACE = "\ue000{}\ue001"
_PLACES = re.compile("\ue000(\\d+)\ue001")
_GAPS = re.compile(r"[ \t]+")


def html_to_text(html: str) -> str:
    """The text that a reader sees, one line a block or table row, quoted parts behind `> `."""
    tree = LexborHTMLParser(html.replace("\ue000", "").replace("\ue001", ""))
    _drop_unseen(tree)
    _show_breaks(tree)
    quotes = _take_tail(tree)
    quotes += _take_quotes(tree, first=len(quotes))
    return _PLACES.sub(lambda found: quotes[int(found[1])], _plain(tree.html or ""))


def _drop_unseen(tree: LexborHTMLParser) -> None:
    styled = [
        node
        for node in tree.css("[style]")
        if _HIDDEN_STYLE.search(node.attributes.get("style") or "")
    ]
    for node in _outermost([*tree.css(_UNSEEN), *styled]):
        node.decompose()


def _show_breaks(tree: LexborHTMLParser) -> None:
    """Where a style says that line breaks of the source are seen, put real ones in their place."""
    styled = [
        node
        for node in tree.css("[style]")
        if node.tag != "pre" and _SEEN_BREAKS.search(node.attributes.get("style") or "")
    ]
    texts = [
        part
        for node in _outermost(styled)
        for part in node.traverse(include_text=True)
        if part.tag == "-text" and "\n" in (part.text_content or "")
    ]
    for text in texts:
        first, *rest = (text.text_content or "").split("\n")
        text.insert_before(first)
        for line in rest:
            text.insert_before(tree.create_node("br"))
            text.insert_before(line)
        text.decompose()


def _take_tail(tree: LexborHTMLParser) -> list[str]:
    """Put a mark where the head of the answered mail stands; the text from there to the end."""
    head = next(iter([*tree.css(_QUOTE_HEADS), *_bordered_heads(tree)]), None)
    if head is None:
        return []
    rest = _following(head)
    text = _quoted("\n".join(node.html or "" for node in (head, *rest)))
    for node in rest:
        node.decompose()
    _put_place(tree, head, 0)
    return [text]


def _bordered_heads(tree: LexborHTMLParser) -> list[LexborNode]:
    """Outlook's line over a block of From, Sent, To and Subject, in any language."""
    lines = [
        node
        for node in tree.css("div[style]")
        if _BORDER_TOP.search(node.attributes.get("style") or "")
    ]
    return [node for node in lines if len(_LABEL.findall(_plain(node.html or ""))) >= 3]


def _following(node: LexborNode) -> list[LexborNode]:
    """All that comes after a node in the page, as whole nodes."""
    found = []
    level: LexborNode | None = node
    while level is not None and level.tag not in ("body", "html"):
        sibling = level.next
        while sibling is not None:
            found.append(sibling)
            sibling = sibling.next
        level = level.parent
    return found


def _take_quotes(tree: LexborHTMLParser, first: int) -> list[str]:
    """Put a mark where each outermost quote stands, numbered from `first`; their texts."""
    nodes = [node for node in tree.css(_QUOTES) if _is_quote(node)]
    nodes = _outermost([*nodes, *_barred(tree)])
    texts = [_quoted(node.html or "") for node in nodes]
    for number, node in enumerate(nodes, start=first):
        _put_place(tree, node, number)
    return texts


def _barred(tree: LexborHTMLParser) -> list[LexborNode]:
    """Outlook's other way to quote, and that of some webmails: a line at the left of it all."""
    divs = tree.css("div[style]")
    return [node for node in divs if _BORDER_LEFT.search(node.attributes.get("style") or "")]


def _is_quote(node: LexborNode) -> bool:
    """Not the frame in which Gmail keeps quotes and answers between them, nor a mere indent."""
    if node.tag == "blockquote":
        cited = "type" in node.attributes or "class" in node.attributes
        return cited or not _INDENT.search(node.attributes.get("style") or "")
    if "gmail_quote" not in (node.attributes.get("class") or ""):
        return True
    return node.css_first("blockquote") is None or bool(_FORWARDED.search(node.text()[:200]))


def _outermost(nodes: list[LexborNode]) -> list[LexborNode]:
    """Without those inside another: what is taken out takes its children along."""
    taken = {node.mem_id for node in nodes}
    unique = {node.mem_id: node for node in nodes}
    return [node for node in unique.values() if not _has_ancestor(node, taken)]


def _has_ancestor(node: LexborNode, ids: set[int]) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.mem_id in ids:
            return True
        parent = parent.parent
    return False


def _put_place(tree: LexborHTMLParser, node: LexborNode, number: int) -> None:
    paragraph = tree.create_node("p")
    paragraph.insert_child(_PLACE.format(number))
    node.replace_with(paragraph)


def _quoted(html: str) -> str:
    return "\n".join("> " + line for line in _plain(html).split("\n"))


def _plain(html: str) -> str:
    text = extract_plain_text(html, list_bullets=False, alt_texts=False, noscript=False)
    return "\n".join(_GAPS.sub(" ", line).strip() for line in text.split("\n"))
