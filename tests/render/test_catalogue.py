"""The catalogues of the words of letters and pages."""

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir

from pbem.render.catalogue import LETTERS, PAGES, languages, template, untranslated
from pbem.render.letters import templates

FOLDERS = {LETTERS: "mail", PAGES: "web"}

OPTIONS = {
    "extensions": "jinja2.ext.i18n, jinja2.ext.do",
    "newstyle_gettext": "true",
    "trimmed": "true",
    "silent": "false",
}


def extracted(domain: str) -> set[tuple[str, object]]:
    folder = templates() / FOLDERS[domain]
    found = extract_from_dir(folder, [("**.j2", "jinja2")], {"**.j2": OPTIONS})
    return {(context or "", message) for _, _, message, _, context in found}


@pytest.mark.parametrize("domain", FOLDERS)
def test_the_template_of_a_catalogue_holds_every_word_of_its_folder(domain: str) -> None:
    """If this fails, run the command that babel.cfg names."""
    held = {(message.context or "", message.id) for message in template(domain) if message.id}
    assert held == extracted(domain)


def test_the_options_are_those_of_the_extraction_file() -> None:
    lines = (Path(__file__).parents[2] / "babel.cfg").read_text(encoding="utf-8").splitlines()
    told = dict(line.split(" = ") for line in lines if " = " in line and line[0] != "#")
    assert told == OPTIONS


def test_english_is_always_whole() -> None:
    assert languages()[0] == "en"


def test_a_catalogue_with_an_empty_form_or_a_doubtful_message_is_not_whole() -> None:
    wanted, have = Catalog(), Catalog(locale="it")
    for message in ("yes", "no", ("%(n)s army", "%(n)s armies")):
        wanted.add(message)
    have.add("yes", "sì")
    have.add("no", "no", flags=["fuzzy"])
    have.add(("%(n)s army", "%(n)s armies"), ("%(n)s armata", ""))
    missing = [message.id for message in untranslated(wanted, have)]
    assert missing == ["no", ("%(n)s army", "%(n)s armies")]
