"""Prices the golden corpus with the component. Arguments: the component, the corpus, the list of what the component cannot price."""

import json
import sys
from base64 import b64decode
from pathlib import Path

from wasmtime import Engine, Store, WasiConfig
from wasmtime.component import Component, Linker

component, corpus, unpriced = sys.argv[1:]

engine = Engine()
store, linker = Store(engine), Linker(engine)
store.set_wasi(WasiConfig())
linker.add_wasip2()
price = linker.instantiate(store, Component.from_file(engine, component)).get_func(store, "price")


def text(value):
    """As JSON.stringify writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def is_as_expected(case):
    order = b64decode(case["bodyBase64"]) if "bodyBase64" in case else case.get("body", text(case.get("order"))).encode()
    facts = case.get("host", {}) | ({"deliveryZones": case["zones"]} if "zones" in case else {})
    priced, expect = price(store, order, text(facts).encode()), case["expect"]
    if isinstance(priced, bytes):
        return priced.decode() == expect.get("responseText", text(expect.get("response")))
    if "zonesError" in expect:
        return (priced.code, priced.message) == ("VALIDATION_ERROR", expect["zonesError"])
    error = {"error": priced.message, "code": priced.code, "path": priced.path, "retryable": priced.retryable}
    return error == {"path": None} | expect


cases = {file.stem: json.loads(file.read_text("utf-8")) for file in Path(corpus).glob("*.json")}
reasons = {name: reason for reason, names in json.loads(Path(unpriced).read_text("utf-8")).items() for name in names}

if unknown := reasons.keys() - cases.keys():
    sys.exit(f"no such case: {sorted(unknown)}")
if untrue := [name for name, reason in reasons.items() if reason not in cases[name] | cases[name].get("host", {})]:
    sys.exit(f"the component could price {untrue}")
if wrong := [name for name in sorted(cases.keys() - reasons.keys()) if not is_as_expected(cases[name])]:
    sys.exit(f"not as expected, or a case for {Path(unpriced).name}: {wrong}")
print(f"{len(cases) - len(reasons)} as expected, {len(reasons)} not priced")
