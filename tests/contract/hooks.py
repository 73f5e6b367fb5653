"""Makes the fuzzed orders ones that the seed's shop can price.

Schemathesis reads this file (SCHEMATHESIS_HOOKS). A valid order keeps everything but what only the shop knows: products,
branches, addresses, coupons, vouchers and their owners. Every second one also gets what it lacks from a sample order of
the seed. All of this depends on the order alone, so that Schemathesis can repeat a case. Invalid orders and those of the
other phases stay as they are.
"""

import itertools
import json
import sys
import zlib
from pathlib import Path

import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase

SEED = Path(__file__).parents[2] / "worker" / "seed"


def read(name):
    return json.loads((SEED / name).read_text(encoding="utf-8"))


def sold_by_branch():
    """The product codes that each branch sells."""
    sold = {}
    for key in read("prices.json"):
        cprcode, branch = key.split("/")
        sold.setdefault(branch, []).append(int(cprcode))
    return sold


SAMPLES = [read(f"orders/{name}.json") for name in ["coupons-and-vouchers", "express", "nationwide", "regular"]]
# Each in a zone of its branch, and with a postcode that has a nationwide rate.
ADDRESSES = [
    {key: sample["shipping"][key] for key in ["shippingPostcode", "shippingLat", "shippingLon", "brcode"]}
    for sample in SAMPLES
    if "shippingLat" in sample["shipping"]
]
SOLD = sold_by_branch()
COUPONS = [coupon["code"] for coupon in read("coupons.json")]
VOUCHERS = read("vouchers.json")
OWNERS = sorted({voucher["ownerId"] for voucher in VOUCHERS.values() if "ownerId" in voucher})
sent = itertools.count(1)


@schemathesis.hook
def map_case(context, case):
    if is_valid_and_fuzzed(case):
        sample = one_of([*SAMPLES, *[{} for _ in SAMPLES]], [case.operation.path, case.body])
        case.body = priceable(completed(case.body, sample))
    return case


@schemathesis.hook
def after_call(context, case, response):
    """Tells `cargo xtask test --night contract` how far it is."""
    count = next(sent)
    if count % 50 == 0:
        print(f"{count:,} cases", file=sys.stderr, flush=True)


def is_valid_and_fuzzed(case):
    body = case.meta.components.get(ParameterLocation.BODY)
    return case.meta.phase.name == TestPhase.FUZZING and body is not None and body.mode.is_positive


def completed(order, sample):
    """The order with what it lacks from the sample, and with the sample's products."""
    whole = {**sample, **order, "productList": order["productList"] + sample.get("productList", [])}
    if order.get("shipping") and "shipping" in sample:
        whole["shipping"] = {**sample["shipping"], **order["shipping"]}
    return whole


def priceable(order):
    branch = one_of(list(SOLD), order.get("branchId"), absent="1000")
    changes = {
        "branchId": branch,
        "productList": [{**product, "cprcode": one_of(SOLD[branch], product["cprcode"])} for product in order["productList"]],
        "couponCodeList": each_of(COUPONS, order.get("couponCodeList")),
        "voucherId": each_of(list(VOUCHERS), order.get("voucherId")),
        "ownerId": one_of(OWNERS, order.get("ownerId"), absent=""),
        "shipping": order.get("shipping") and {**order["shipping"], **one_of(ADDRESSES, order["shipping"])},
    }
    return {**order, **{key: value for key, value in changes.items() if key in order}}


def each_of(choices, values):
    return values and [one_of(choices, value) for value in values]


def one_of(choices, value, absent=None):
    """The value if it is one of the choices, else the one that its hash names; `absent` for null."""
    if value is None:
        return absent
    return value if value in choices else choices[zlib.crc32(json.dumps(value, sort_keys=True).encode()) % len(choices)]
