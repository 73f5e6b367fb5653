import json
import sys
from decimal import Decimal
from pathlib import Path

ORDER = (Path(__file__).parent / "order.json").read_bytes()


def grand_total(body):
    return json.loads(body, parse_float=Decimal)["grandTotal"]


def test_the_delivery_and_the_coupon_count(order_cost):
    response, body = order_cost.price(ORDER)
    sys.stdout.buffer.write(body + b"\n")
    assert response.status == 200
    assert grand_total(body) == 522  # 2 × 231, delivery 30, express 50, coupon −20


def test_a_price_counts_as_soon_as_it_is_written(order_cost):
    facts = order_cost.facts
    facts.write_bytes(facts.read_bytes().replace(b"231", b"200.25"))
    _, body = order_cost.price(ORDER)
    assert grand_total(body) == Decimal("460.5")


def test_an_order_that_fails_says_why(order_cost):
    response, body = order_cost.price(ORDER.replace(b"110018", b"404"))
    assert (response.status, body) == (500, b'{"error":"No price for 404/1000"}')
    assert response.headers["x-order-cost-error"] == "PRODUCT_PRICE_NOT_FOUND"
