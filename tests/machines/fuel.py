"""Runs a program of the target wasm32-wasip1 in wasmtime, and prints the fuel of each measurement.

A measurement is the code between `measure_begin` and `measure_end`. Fuel is a count of WebAssembly
operations: most operations use a unit of fuel. So the result is the same on all processors and in
each run.

    python3 fuel.py PROGRAM ARGUMENTS

Needs Python's package wasmtime (pip install wasmtime).
"""

import sys

from wasmtime import Config, Engine, ExitTrap, FuncType, Linker, Module, Store, WasiConfig

config = Config()
config.consume_fuel = True
engine = Engine(config)
store = Store(engine)
store.set_fuel(1 << 62)
wasi = WasiConfig()
wasi.argv = sys.argv[1:]
wasi.inherit_stderr()
store.set_wasi(wasi)
# The remaining fuel at the start of the current measurement.
fuel_at_begin = []
linker = Linker(engine)
linker.define_wasi()
linker.define_func("env", "measure_begin", FuncType([], []), lambda: fuel_at_begin.append(store.get_fuel()))
linker.define_func("env", "measure_end", FuncType([], []), lambda: print(fuel_at_begin.pop() - store.get_fuel()))
instance = linker.instantiate(store, Module.from_file(engine, sys.argv[1]))
try:
    instance.exports(store)["_start"](store)
except ExitTrap as end:
    sys.exit(end.code)
