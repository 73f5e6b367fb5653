"""Prices the golden corpus with the component. Arguments: the component, the corpus."""

import json
import sys
from base64 import b64decode
from pathlib import Path

from wasmtime import Engine, Store, WasiConfig
from wasmtime.component import Component, Linker

component, corpus = sys.argv[1:]

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


def is_priced(case):
    """The component takes no options, and has no host that fails or lacks a function."""
    return not {"options", "fails", "missing"} & (case.keys() | case.get("host", {}).keys())


cases = {file.stem: json.loads(file.read_text("utf-8")) for file in Path(corpus).glob("*.json")}
priced = {name: case for name, case in cases.items() if is_priced(case)}

if wrong := [name for name, case in sorted(priced.items()) if not is_as_expected(case)]:
    sys.exit(f"not as expected: {wrong}")
print(f"{len(priced)} as expected, {len(cases) - len(priced)} not priced")
