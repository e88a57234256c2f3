"""Letters of a house that signs them itself."""

from datetime import UTC, datetime, timedelta

from pbem.judge import dispatch
from pbem.mail import signature
from pbem.mail.outbound import Deferred, Outcome, Sent
from pbem.mail.signing import Signer
from tests.judge.conftest import OpenParlour
from tests.judge.parlour import DOMAIN
from tests.judge.test_bounced import Answers, unsent
from tests.mail.forge import Names, key, keys


def test_a_letter_is_signed_once_and_every_attempt_sends_the_same_bytes(
    parlour: OpenParlour,
) -> None:
    house = parlour()
    letter = unsent(house)[0]
    outcomes: list[Outcome] = [Deferred(451, "later"), Sent()]
    relay = Answers(*outcomes)
    signer = Signer(DOMAIN, "s2048", key(2048)[0])
    post = dispatch.Post(relay, (timedelta(minutes=1),), timedelta(minutes=15), signer)
    for _ in outcomes:
        dispatch.send(house.engine, house.house, post, letter.id, lambda: house.now)
        house.now += timedelta(minutes=5)
    first, second = (raw for _, raw in relay.handed)
    assert first == second
    assert signature.vouches(first, DOMAIN, Names(keys(DOMAIN)), datetime.now(UTC)) is None
