"""What a chat room is told besides the reports of turns."""

from pbem.render.catalogue import SOURCE, languages
from pbem.render.letters import environment


def trial(game: str, language: str = SOURCE) -> tuple[str, str]:
    """Title and text of a message that only tries out whether it arrives; `game` is its name."""
    spoken = language if language in languages() else SOURCE
    template = environment(spoken, escaped=False).get_template("_chat.j2")
    module = template.make_module({"game": game})
    return (
        " ".join(str(module.title()).split()),  # type: ignore[attr-defined]  # macros of the template
        " ".join(str(module.text()).split()),  # type: ignore[attr-defined]
    )
