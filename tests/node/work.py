"""Counts what works on texts cost, as fuel of wasmtime: the same on every machine. Arguments: the program of work/, and the
file that keeps it compiled for the next run.

Each line of stdin is a work: `{"work", "before", "unit", "after", "bytes"}`. Its text is `before`, units with commas between
them up to so many bytes, and `after`; `#` in a unit is its number. Each line of stdout: `{"fuel", "taken"}`."""

import json
import sys
import tempfile
from pathlib import Path

from wasmtime import Config, Engine, Store, WasiConfig
from wasmtime.component import Component, Linker

config = Config()
config.consume_fuel = True
engine = Engine(config)
program, compiled = map(Path, sys.argv[1:])
if not compiled.exists():
    compiled.write_bytes(Component.from_file(engine, program).serialize())
component = Component.deserialize_file(engine, str(compiled))
linker = Linker(engine)
linker.add_wasip2()
ENOUGH = 2**60


def text(work):
    units, length = [], 0
    while length < work["bytes"]:
        units.append(work["unit"].replace("#", str(len(units) + 1)))
        length += len(units[-1].encode()) + 1
    return work["before"] + ",".join(units) + work["after"]


def count(work, folder):
    given, said = folder / "in", folder / "out"
    given.write_text(text(work), "utf-8")
    wasi = WasiConfig()
    wasi.argv = ["work", work["work"]]
    wasi.stdin_file, wasi.stdout_file = given, said
    store = Store(engine)
    store.set_wasi(wasi)
    store.set_fuel(ENOUGH)
    instance = linker.instantiate(store, component)
    [world] = [name for name in component.type.exports(engine) if name.startswith("wasi:cli/run@")]
    run = instance.get_func(store, instance.get_export_index(store, "run", instance.get_export_index(store, world)))
    run(store)
    return {"fuel": ENOUGH - store.get_fuel(), "taken": said.read_text() == "true\n"}


with tempfile.TemporaryDirectory() as name:
    for line in sys.stdin:
        print(json.dumps(count(json.loads(line), Path(name))), flush=True)
