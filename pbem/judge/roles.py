"""Who somebody is in a game, and what that allows: the one place that pages and commands ask.

The owners of the house are in its settings; the offices of a game are rows; who holds a seat plays.
A game master who plays is a *host*: the acts that change nothing on the board stay, the sight of
what rivals write goes. A seat counts for as long as the game's rows name its address, an
eliminated one too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from pbem.judge.house import House
from pbem.store import appointments, games
from pbem.store.engine import Session
from pbem.store.scope import Scope
from pbem.store.tables import Office


class Role(StrEnum):
    """What somebody is in one game, the most that applies."""

    OWNER = "owner"
    GM = "gm"
    HOST = "host"
    DEPUTY = "deputy"
    AUDITOR = "auditor"
    PLAYER = "player"
    ANONYMOUS = "anonymous"


class May(StrEnum):
    """One thing that a role allows on the desk of a game.

    `look` is the closed sight: what the table sees, and what goes in and out without its content.
    """

    LOOK = "look"
    READ_STRAY = "read-stray"
    MEND_STRAY = "mend-stray"
    ACT_A = "act-a"
    ACT_B = "act-b"
    ACT_C = "act-c"
    REVEAL = "reveal"
    APPOINT = "appoint"


_DEPUTY = frozenset({May.LOOK, May.READ_STRAY, May.MEND_STRAY, May.ACT_A, May.ACT_B})
_GM = _DEPUTY | {May.ACT_C, May.REVEAL, May.APPOINT}

ALLOWED: Mapping[Role, frozenset[May]] = MappingProxyType(
    {
        Role.OWNER: _GM,
        Role.GM: _GM,
        Role.HOST: frozenset({May.LOOK, May.ACT_A}),
        Role.DEPUTY: _DEPUTY,
        Role.AUDITOR: frozenset({May.LOOK, May.READ_STRAY}),
        Role.PLAYER: frozenset(),
        Role.ANONYMOUS: frozenset(),
    }
)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who has logged in: an address, its offices by game, and the letters of its seats.

    An owner needs no office: all games are an owner's.
    """

    address: str
    owner: bool
    offices: Mapping[int, Office]
    seats: Mapping[int, tuple[str, ...]]

    @property
    def has_desk(self) -> bool:
        """Whether there is any game whose desk this person sits at."""
        return self.owner or bool(self.offices)

    @property
    def watched(self) -> Scope:
        """The games on the person's desk."""
        return self.scope(May.LOOK)

    def scope(self, what: May) -> Scope:
        """The games in which the person may do this, for lists over many games."""
        refused = frozenset(number for number in self.seats if not self.may(number, what))
        if self.owner:
            return Scope(None, refused)
        return Scope(frozenset(number for number in self.offices if self.may(number, what)))

    def role(self, game_id: int) -> Role:
        """What the person is in a game."""
        office = Office.GM if self.owner else self.offices.get(game_id)
        plays = game_id in self.seats
        if office is None:
            return Role.PLAYER if plays else Role.ANONYMOUS
        if not plays:
            return Role.OWNER if self.owner else Role(office)
        return Role.PLAYER if office is Office.AUDITOR else Role.HOST

    def may(self, game_id: int, what: May) -> bool:
        """Whether the person may do this in a game."""
        return what in ALLOWED[self.role(game_id)]


def person(session: Session, house: House, address: str) -> Person:
    """Who an address is, in all games."""
    seats: dict[int, tuple[str, ...]] = {}
    for seat in games.seats_at(session, address):
        seats[seat.game_id] = (*seats.get(seat.game_id, ()), seat.letter)
    return Person(
        address=address,
        owner=is_owner(house, address),
        offices={held.game_id: held.office for held in appointments.of_address(session, address)},
        seats=seats,
    )


def in_office(session: Session, house: House, game_id: int) -> tuple[str, ...]:
    """The owners, and who was appointed to a game: each address once, whatever they may do."""
    known: dict[str, str] = {}
    for address in (*house.gm, *_appointed(session, game_id)):
        known.setdefault(address.casefold(), address)
    return tuple(known.values())


def masters(session: Session, house: House, game_id: int, what: May) -> tuple[str, ...]:
    """The addresses of all who may do this in a game, the owners first."""
    known = in_office(session, house, game_id)
    return tuple(one for one in known if person(session, house, one).may(game_id, what))


_RUN = (Role.OWNER, Role.GM, Role.HOST, Role.DEPUTY)


def runners(
    session: Session, house: House, game_id: int, but: str = ""
) -> tuple[tuple[str, Role], ...]:
    """Who runs a game: those who were appointed to it, else the owners; not the address `but`."""
    for addresses in (_appointed(session, game_id), house.gm):
        known = [(one, person(session, house, one).role(game_id)) for one in addresses]
        able = [pair for pair in known if pair[1] in _RUN]
        found = [pair for pair in able if pair[0].casefold() != but.casefold()]
        if found:
            return tuple(found)
    return ()


def watchers(session: Session, house: House, game_id: int) -> tuple[str, ...]:
    """Who is told of what goes wrong in a game: the house's own game masters, and those whom the
    game has besides and who do not play in it."""
    able = masters(session, house, game_id, May.MEND_STRAY)
    return (*house.gm, *(one for one in able if not is_owner(house, one)))


def _appointed(session: Session, game_id: int) -> tuple[str, ...]:
    return tuple(held.address for held in appointments.of_game(session, game_id))


def is_owner(house: House, address: str) -> bool:
    """Whether an address is one of the house's game masters."""
    return address.lower() in {owner.lower() for owner in house.gm}
