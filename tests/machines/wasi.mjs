// Runs a program of the target wasm32-wasip1 in node: node --no-warnings wasi.mjs PROGRAM ARGUMENTS
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { WASI } from 'node:wasi';

const args = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args, returnOnExit: true });
const module = await WebAssembly.compile(await readFile(args[0]));
const instance = await WebAssembly.instantiate(module, {
  wasi_snapshot_preview1: wasi.wasiImport,
  // What `fuel.py` watches.
  env: { measure_begin() {}, measure_end() {} },
});
process.exitCode = wasi.start(instance);
