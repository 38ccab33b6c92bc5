'use strict';
// Reads files and calls the module in a separate thread, so that the page stays usable. The page
// sends one task at a time. To stop a task, the page ends this worker.

/** The number of bytes that the worker reads at a time. */
const PIECE = 4 << 20;
/**
 * The largest list in bytes. A list is in memory as a whole. The program `fndsa` has the same
 * limit.
 */
const MAX_LIST = 256 << 20;

let module;
/** The largest key or signature file in bytes, from the module. */
let maxSmallFile = 0;
let bytesRead = 0;

/** Returns the last answer of the module. */
function lastAnswer() {
  const text = new Uint8Array(module.memory.buffer, module.answer(), module.answer_len());
  return JSON.parse(new TextDecoder().decode(text));
}

/**
 * Writes bytes into the buffer of the module, and returns their number. The address of the buffer
 * can change with each call, because the memory of the module grows.
 */
function writeToModule(bytes) {
  const address = module.room(bytes.length);
  if (address === 0) throw new Error('there is not enough memory for this file');
  new Uint8Array(module.memory.buffer, address, bytes.length).set(bytes);
  return bytes.length;
}

/** A rejection or an error from the module, with its JSON report. `runStep` catches it. */
class ModuleRejection {
  constructor(report) {
    this.report = report;
  }
}

/** Throws the report of the module unless `result`, the result of a call, is 1. */
function requireAccepted(result) {
  if (result !== 1) throw new ModuleRejection(lastAnswer());
}

/** Returns the error for a file that the browser cannot read. */
function unreadableFile(error) {
  return new ModuleRejection({
    status: 'error',
    reason: 'io_error',
    message: `the browser cannot read this file (${error.name})`,
    hint: 'the file was changed or moved after you chose it, or it is a folder: choose the file again',
  });
}

/** Returns the first bytes of a file, at most `limit`. */
async function readStart(file, limit) {
  try {
    return new Uint8Array(await file.slice(0, limit).arrayBuffer());
  } catch (error) {
    throw unreadableFile(error);
  }
}

/** Passes a whole file to the module, in pieces. */
async function passFile(file) {
  for (let at = 0; at < file.size; at += PIECE) {
    let piece;
    try {
      piece = new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer());
    } catch (error) {
      throw unreadableFile(error);
    }
    requireAccepted(module.update(writeToModule(piece)));
    bytesRead += piece.length;
    postMessage({ progress: bytesRead });
  }
}

/**
 * Writes a key or signature file into the memory of the module. If the file is too large, writes only
 * its first bytes, one more than the module allows, so that the module reports an error.
 */
async function passSmallFile(file) {
  return writeToModule(await readStart(file, maxSmallFile + 1));
}

const encode = (text) => new TextEncoder().encode(text);

/**
 * Runs a step of a task. Sends the page the number that `work` returned and the report of the module.
 * `about` is the number of a file, `options` or `missing`.
 */
async function runStep(about, work) {
  try {
    // The module returns signed numbers.
    const verdict = (await work()) >>> 0;
    postMessage({ about, verdict, report: lastAnswer() });
    return verdict;
  } catch (error) {
    if (!(error instanceof ModuleRejection)) throw error;
    postMessage({ about, verdict: 0, report: error.report });
    return 0;
  }
}

const tasks = {
  /** Starts the module. */
  async load({ bytes }) {
    const { instance } = await WebAssembly.instantiate(bytes);
    module = instance.exports;
    module.names();
    const names = lastAnswer();
    maxSmallFile = names.small;
    return names;
  },

  /** Detects the kind of a file. */
  async detect({ file }) {
    try {
      const bytes = await readStart(file, maxSmallFile + 1);
      module.look(writeToModule(bytes), bytes.length === file.size ? 1 : 0);
      return lastAnswer();
    } catch (error) {
      if (!(error instanceof ModuleRejection)) throw error;
      return { kind: null, ...error.report };
    }
  },

  /**
   * Verifies with keys and options: either `pairs` of a file and its signature, or a `list` with
   * its signature (unless it has an inline signature) and the listed files.
   */
  async verify({ keys, expected, isEach, context, isHex, prehash, input, namespace, algorithm, pairs, list }) {
    bytesRead = 0;
    module.reset();
    const optionsResult = await runStep('options', async () => {
      requireAccepted(module.algorithm(writeToModule(encode(algorithm))));
      for (const fingerprint of expected) requireAccepted(module.expect(writeToModule(encode(fingerprint))));
      requireAccepted(module.require_each(isEach ? 1 : 0));
      requireAccepted(module.context(writeToModule(encode(context)), isHex ? 1 : 0));
      requireAccepted(module.prehash(writeToModule(encode(prehash))));
      requireAccepted(module.input(writeToModule(encode(input))));
      requireAccepted(module.namespace(writeToModule(encode(namespace))));
      return 1;
    });
    if (optionsResult !== 1) return null;
    for (const { id, file } of keys) {
      const keyResult = await runStep(id, async () => {
        requireAccepted(module.keys(await passSmallFile(file)));
        return 1;
      });
      if (keyResult !== 1) return null;
    }
    for (const { id, file, signature } of pairs) {
      await runStep(id, async () => {
        requireAccepted(module.begin(await passSmallFile(signature)));
        await passFile(file);
        return module.finish();
      });
    }
    if (!list) return null;
    const verdict = await runStep(list.id, async () => {
      if (list.signature) requireAccepted(module.begin(await passSmallFile(list.signature)));
      if (list.file.size > MAX_LIST) throw new Error('the list is larger than 256 MiB');
      const bytes = await readStart(list.file, MAX_LIST);
      bytesRead += bytes.length;
      const finish = list.signature ? module.finish_list : module.finish_inline;
      return finish(writeToModule(bytes), Math.floor(Date.now() / 1000));
    });
    // Files are compared only with a list that has a valid signature.
    if (verdict === 0) return null;
    for (const { id, file, name } of list.files) {
      await runStep(id, async () => {
        requireAccepted(module.begin_listed(writeToModule(encode(name))));
        await passFile(file);
        return module.finish_listed();
      });
    }
    await runStep('missing', async () => {
      requireAccepted(module.missing());
      return 1;
    });
    return null;
  },
};

onmessage = async ({ data }) => {
  try {
    postMessage({ done: await tasks[data.task](data) });
  } catch (error) {
    postMessage({ failed: String(error?.message ?? error) });
  }
};
