// Runs a program of the target wasm32-wasip1 in node: node --no-warnings wasi.mjs PROGRAM ARGUMENTS
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { WASI } from 'node:wasi';

const args = process.argv.slice(2);
// Gives the program access to the repository, which contains the vectors, under the same path.
const repository = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const { env } = process;
const wasi = new WASI({ version: 'preview1', args, env, preopens: { [repository]: repository }, returnOnExit: true });
const module = await WebAssembly.compile(await readFile(args[0]));
const instance = await WebAssembly.instantiate(module, {
  wasi_snapshot_preview1: wasi.wasiImport,
  // fuel.py measures between these calls.
  env: { measure_begin() {}, measure_end() {} },
});
process.exitCode = wasi.start(instance);
