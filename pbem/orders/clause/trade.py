"""TRADE ( AUTO | NONE | card card card ) [ BONUS territory ]."""

from pbem.orders.cursor import Cursor
from pbem.orders.plan import CardName, Trade, Trading
from pbem.orders.word import Word
from pbem.rules.board import Code
from pbem.rules.card import WILD, Card


def read(cursor: Cursor) -> Trade:
    """One set; further sets follow as trades of their own."""
    cursor.take(Word.CARDS, Word.HAND)  # "my cards" asks for the hand elsewhere
    if cursor.take(Word.AUTO):
        return Trade(Trading.AUTO, _bonus(cursor))
    if cursor.take(Word.NONE):
        return Trade(Trading.NONE)
    cards = [_card(cursor)]
    while _another(cursor):
        cards.append(_card(cursor))
    return Trade(tuple(cards), _bonus(cursor))


_CARD = (Word.NUMBER, Word.WILD, Word.NAME, Word.UNKNOWN)


def _card(cursor: Cursor) -> CardName:
    if number := cursor.take(Word.NUMBER):
        return number.value
    if cursor.take(Word.WILD):
        return WILD
    return Card(cursor.territory())


def _another(cursor: Cursor) -> bool:
    if cursor.word() in (Word.COMMA, Word.AND) and cursor.word(1) in _CARD:
        cursor.place += 1
    return cursor.word() in _CARD


def _bonus(cursor: Cursor) -> Code | None:
    ahead = 1 if cursor.word() in (Word.COMMA, Word.AND, Word.WITH) else 0
    if cursor.word(ahead) is not Word.BONUS:
        return None
    cursor.place += ahead + 1
    cursor.take(Word.ON, Word.TO)
    return cursor.territory()
