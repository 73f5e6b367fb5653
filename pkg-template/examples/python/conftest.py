"""`order-cost serve` on a free port, for the whole session."""

import subprocess
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

HERE = Path(__file__).parent


class OrderCost:
    def __init__(self, address: str, facts: Path):
        self.host = urlsplit(address).netloc
        self.facts = facts

    def price(self, order: bytes):
        """The response, and its body."""
        connection = HTTPConnection(self.host)
        try:
            connection.request("POST", "/calculatecost4", order)
            response = connection.getresponse()
            return response, response.read()
        finally:
            connection.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    facts = tmp_path_factory.mktemp("order-cost") / "facts.json"
    facts.write_bytes((HERE / "facts.json").read_bytes())
    # Not npx, which would keep the signal that ends the process to itself.
    command = ["node", HERE / "node_modules/order-cost/cli.js", "serve", "--port", "0", "--facts", facts]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as process:
        line = process.stdout.readline()
        assert line, "order-cost serve has ended; stderr says why"
        yield OrderCost(line.removeprefix("Listening on ").strip(), facts)
        process.terminate()


@pytest.fixture
def order_cost(server):
    """The same with the facts of facts.json, whatever the last test has written."""
    server.facts.write_bytes((HERE / "facts.json").read_bytes())
    return server
