"""What a test lacks is skipped, or failed where it is demanded."""

import pytest

from tests.conftest import require

NOWHERE = "127.0.0.1:9"


@pytest.fixture(autouse=True)
def nothing_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(
        "PBEM_TEST_POSTGRES_URL", f"postgresql+psycopg://postgres@{NOWHERE}/postgres"
    )
    monkeypatch.setenv("PBEM_TEST_REDIS_URL", f"redis://{NOWHERE}")
    monkeypatch.delenv("PBEM_TEST_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", "")


@pytest.mark.parametrize("name", ["postgres", "redis", "chromium"])
def test_missing_thing_skips(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PBEM_TEST_REQUIRE", raising=False)
    with pytest.raises(pytest.skip.Exception):
        require(name)


@pytest.mark.parametrize("name", ["postgres", "redis", "chromium"])
def test_missing_thing_fails_where_it_is_demanded(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_TEST_REQUIRE", "postgres, redis,chromium")
    with pytest.raises(pytest.fail.Exception, match=f"demands {name}"):
        require(name)


class TestServers:
    """The servers of this machine, if it has any."""

    @pytest.fixture(autouse=True)
    def nothing_there(self) -> None:
        """These look for what is really there."""

    def test_postgres_database_is_empty_and_of_its_own(self, postgres_url: str) -> None:
        import sqlalchemy

        engine = sqlalchemy.create_engine(postgres_url)
        assert sqlalchemy.inspect(engine).get_table_names() == []
        assert engine.url.database != "postgres"
        engine.dispose()

    def test_redis_database_is_empty(self, redis_url: str) -> None:
        import redis

        with redis.Redis.from_url(redis_url) as client:
            assert client.dbsize() == 0
            assert client.set("key", "value")
