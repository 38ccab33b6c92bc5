'use strict';
// Reads files and calls the module in a separate thread, so that the page stays usable. The page
// sends one task at a time. To stop a task, the page ends this worker.

/** The number of bytes of a file that are in memory at a time. */
const PIECE = 4 << 20;
/**
 * The largest list in bytes. A list is in memory as a whole. The program `fndsa` has the same
 * limit.
 */
const MAX_LIST = 256 << 20;

let module;
/** The largest key or signature file in bytes, from the module. */
let small = 0;
let read = 0;

/** Returns the last answer of the module. */
function answer() {
  const text = new Uint8Array(module.memory.buffer, module.answer(), module.answer_len());
  return JSON.parse(new TextDecoder().decode(text));
}

/**
 * Writes bytes into the memory of the module. The address of the memory may change when it grows.
 */
function give(bytes) {
  const at = module.room(bytes.length);
  if (at === 0) throw new Error('there is not enough memory for this file');
  new Uint8Array(module.memory.buffer, at, bytes.length).set(bytes);
  return bytes.length;
}

/** A rejection or error from the module. It is thrown, so it ends the current step. */
class Refused {
  constructor(said) {
    this.said = said;
  }
}

/** Throws the answer of the module if the module rejected a call. */
function accepted(done) {
  if (done !== 1) throw new Refused(answer());
}

/** Returns the error for a file that the browser cannot read. */
function unreadable(error) {
  return new Refused({
    status: 'error',
    reason: 'io_error',
    message: `the browser cannot read this file (${error.name})`,
    hint: 'the file was changed or moved after you chose it, or it is a folder: choose the file again',
  });
}

/** Returns the first bytes of a file, at most `limit`. */
async function head(file, limit) {
  try {
    return new Uint8Array(await file.slice(0, limit).arrayBuffer());
  } catch (error) {
    throw unreadable(error);
  }
}

/** Passes a whole file to the module, in pieces. */
async function stream(file) {
  for (let at = 0; at < file.size; at += PIECE) {
    let piece;
    try {
      piece = new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer());
    } catch (error) {
      throw unreadable(error);
    }
    accepted(module.update(give(piece)));
    read += piece.length;
    postMessage({ progress: read });
  }
}

/**
 * Passes a key or signature file to the module. If the file is too large, the module gets only its
 * beginning, and reports that.
 */
async function short(file) {
  return give(await head(file, small + 1));
}

const encode = (text) => new TextEncoder().encode(text);

/** Runs a step, and reports the number and the answer of the module. */
async function step(about, work) {
  try {
    // The module returns signed numbers.
    const verdict = (await work()) >>> 0;
    postMessage({ about, verdict, said: answer() });
    return verdict;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    postMessage({ about, verdict: 0, said: error.said });
    return 0;
  }
}

const tasks = {
  /** Starts the module. */
  async load({ bytes }) {
    const { instance } = await WebAssembly.instantiate(bytes);
    module = instance.exports;
    module.names();
    const names = answer();
    small = names.small;
    return names;
  },

  /** Detects the kind of a file. */
  async look({ file }) {
    try {
      const bytes = await head(file, small + 1);
      module.look(give(bytes), bytes.length === file.size ? 1 : 0);
      return answer();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { kind: null, ...error.said };
    }
  },

  /**
   * Verifies with keys and options: either `pairs` of a file and its signature, or a `list` with
   * its signature (unless it has an inline signature) and the listed files.
   */
  async verify({ keys, expected, isEach, context, isHex, prehash, input, namespace, algorithm, pairs, list }) {
    read = 0;
    module.reset();
    const ready = await step('options', async () => {
      accepted(module.algorithm(give(encode(algorithm))));
      for (const fingerprint of expected) accepted(module.expect(give(encode(fingerprint))));
      accepted(module.require_each(isEach ? 1 : 0));
      accepted(module.context(give(encode(context)), isHex ? 1 : 0));
      accepted(module.prehash(give(encode(prehash))));
      accepted(module.input(give(encode(input))));
      accepted(module.namespace(give(encode(namespace))));
      return 1;
    });
    if (ready !== 1) return null;
    for (const { id, file } of keys) {
      const taken = await step(id, async () => {
        accepted(module.keys(await short(file)));
        return 1;
      });
      if (taken !== 1) return null;
    }
    for (const { id, file, signature } of pairs) {
      await step(id, async () => {
        accepted(module.begin(await short(signature)));
        await stream(file);
        return module.finish();
      });
    }
    if (!list) return null;
    const verdict = await step(list.id, async () => {
      if (list.signature) accepted(module.begin(await short(list.signature)));
      if (list.file.size > MAX_LIST) throw new Error('the list is larger than 256 MiB');
      const bytes = await head(list.file, MAX_LIST);
      read += bytes.length;
      const finish = list.signature ? module.finish_list : module.finish_inline;
      return finish(give(bytes), Math.floor(Date.now() / 1000));
    });
    // Files are compared only with a list that has a valid signature.
    if (verdict === 0) return null;
    for (const { id, file, name } of list.files) {
      await step(id, async () => {
        accepted(module.begin_listed(give(encode(name))));
        await stream(file);
        return module.finish_listed();
      });
    }
    await step('missing', async () => {
      accepted(module.missing());
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
