// Verifies signatures of ML-DSA, FN-DSA, Falcon and Ed25519 with a WebAssembly module: verify.wasm
// for FN-DSA and Falcon, verify-ml-dsa.wasm for these schemes and ML-DSA, and verify-ed25519.wasm
// for Ed25519. The first two modules also exist with vectors (-simd). This file copies keys,
// signatures and messages into the memory of the module.

/** The number that the module returns for a valid signature. No other value is a YES. */
const YES = 0x3c5aa5c3;

/** The error numbers of the module's function `begin` that this file handles. 0 is no error. */
const UNSUPPORTED_SCHEME = 1;
const INVALID_KEY = 3;
const MALFORMED_SIGNATURE = 4;

/**
 * The longest public key and signature in bytes. The module compares both with the lengths of the
 * algorithm of the key.
 */
const FALCON = { maxKey: 1793, maxSignature: 3113 };
const ML_DSA = { maxKey: 2592, maxSignature: 4627 };
const ED25519 = { maxKey: 32, maxSignature: 64 };

/**
 * The properties of each scheme: its number in the module, its label in PEM files, its name for
 * messages, whether it has a context, the name of its module, and its lengths. Public keys of
 * ML-DSA and Ed25519 have the label of SPKI.
 */
const SCHEMES = {
  'fn-dsa': { number: 1, label: 'FNDSA', title: 'FN-DSA', hasContext: true, module: 'verify', ...FALCON },
  'fn-dsa-2024': { number: 2, label: 'FNDSA2024', title: 'FN-DSA-2024', hasContext: true, module: 'verify', ...FALCON },
  falcon: { number: 3, label: 'FALCON', title: 'Falcon', hasContext: false, module: 'verify', ...FALCON },
  'falcon-rs': { number: 4, label: 'FALCON', title: 'falcon-rs', hasContext: true, module: 'verify', ...FALCON },
  'ml-dsa': { number: 5, label: 'MLDSA', title: 'ML-DSA', hasContext: true, module: 'verify-ml-dsa', ...ML_DSA },
  ed25519: { number: 6, label: 'ED25519', title: 'Ed25519', hasContext: true, module: 'verify-ed25519', ...ED25519 },
};
const MAX_CONTEXT = 255;
/** The largest number of blocks in a signature file. `fndsa` has the same limit. */
const MAX_BLOCKS = 64;
/** The names of the options. An unknown name is an error, because it would be ignored. */
const KEY_OPTIONS = ['publicKey', 'signature', 'context', 'scheme'];

/**
 * The bytes before the raw public key in a SubjectPublicKeyInfo (SPKI), and the length of the key.
 */
const SPKI = [
  { scheme: 'fn-dsa', length: 897, prefix: '3082039d3015061369a8add2e3e3c1bae88b87afba94e8a2a5b0510382038200' },
  { scheme: 'fn-dsa', length: 1793, prefix: '3082071d3015061369c0b8f6cf96b2d2ffbdb9fff7f4b08af6c87a0382070200' },
  { scheme: 'falcon', length: 897, prefix: '3082038f300706052bce0f030b0382038200' },
  { scheme: 'falcon', length: 1793, prefix: '3082070f300706052bce0f030e0382070200' },
  { scheme: 'ml-dsa', length: 1312, prefix: '30820532300b06096086480165030403110382052100' },
  { scheme: 'ml-dsa', length: 1952, prefix: '308207b2300b0609608648016503040312038207a100' },
  { scheme: 'ml-dsa', length: 2592, prefix: '30820a32300b060960864801650304031303820a2100' },
  { scheme: 'ed25519', length: 32, prefix: '302a300506032b6570032100' },
];

/** A minimal module with simd128 instructions. It is valid if the engine supports them. */
const SIMD_PROBE = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
);

/** The public key is damaged, of another scheme, or not a key. */
export class KeyError extends Error {
  constructor(message) {
    super(message);
    this.name = 'KeyError';
  }
}

/** Returns the type of a value, for messages. */
function kindOf(value) {
  if (value === null || value === undefined) return `${value}`;
  const kind = typeof value === 'object' ? (value.constructor?.name ?? 'object') : typeof value;
  return `${/^[aeiou]/i.test(kind) ? 'an' : 'a'} ${kind}`;
}

/** Returns the bytes of a buffer or of a view of a buffer; undefined for other values. */
function bytesOf(value) {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  const tag = Object.prototype.toString.call(value);
  return tag === '[object ArrayBuffer]' || tag === '[object SharedArrayBuffer]' ? new Uint8Array(value) : undefined;
}

/** The maximum size of a key file in PEM, in bytes. `fndsa` has the same limit. */
const MAX_KEY_TEXT = 65536;

/**
 * The maximum size of a signature file in PEM, in bytes. It is larger than any file that `fndsa`
 * writes: 64 signatures with notes have less than 480,000 bytes.
 */
const MAX_SIGNATURE_TEXT = 524288;

/**
 * Returns the PEM blocks of a text, each with its label and bytes; undefined if there is no block,
 * a block is damaged, or there are too many blocks.
 */
function readPem(text, limit) {
  if (text.length > limit) return undefined;
  const starts = [...text.matchAll(/-----BEGIN /g)].map((it) => it.index);
  if (starts.length === 0 || starts.length > MAX_BLOCKS) return undefined;
  const blocks = starts.map((start, i) => {
    // Text before a block is a comment. After the last block, only white space is allowed.
    const end = i + 1 < starts.length ? /-----END ([A-Z0-9 ]+)-----[ \t]*\r?\n/ : /-----END ([A-Z0-9 ]+)-----\s*$/;
    const block = new RegExp(`^-----BEGIN ([A-Z0-9 ]+)-----\\r?\\n([A-Za-z0-9+/=\\s]+)\\r?\\n${end.source}`);
    const found = block.exec(text.slice(start, starts[i + 1]));
    if (!found || found[1] !== found[3]) return undefined;
    const base64 = found[2].replace(/\s/g, '');
    try {
      const binary = atob(base64);
      // Reject other base64 spellings of the same bytes.
      if (btoa(binary) !== base64) return undefined;
      return { label: found[1], bytes: Uint8Array.from(binary, (char) => char.charCodeAt(0)) };
    } catch {
      return undefined;
    }
  });
  return blocks.includes(undefined) ? undefined : blocks;
}

/**
 * Returns the text of a PEM file from a string or from bytes; undefined if the bytes contain no PEM
 * block.
 */
function pemText(value, bytes, limit) {
  if (typeof value === 'string') return value;
  if (bytes.length > limit) return undefined;
  // TextDecoder does not accept shared memory. PEM is ASCII.
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text.includes('-----BEGIN ') ? text : undefined;
}

/**
 * Returns the raw public key and its scheme from any supported format. `wantedScheme` is the
 * option `scheme`.
 */
function readKey(value, wantedScheme) {
  const given = bytesOf(value);
  if (typeof value !== 'string' && !given) {
    throw new TypeError(`publicKey is ${kindOf(value)}: pass the text of a PEM file, or bytes (Uint8Array, ArrayBuffer)`);
  }
  const text = pemText(value, given, MAX_KEY_TEXT);
  const blocks = text === undefined ? undefined : readPem(text, MAX_KEY_TEXT);
  const pem = blocks?.length === 1 ? blocks[0] : undefined;
  if (text !== undefined && !pem) {
    throw new KeyError('publicKey is a text, but not a PEM file with exactly one key: pass the public key file that `fndsa keygen` or `fndsa pubkey` wrote');
  }
  const bytes = pem ? pem.bytes : given;
  const check = (scheme, key) => {
    if (wantedScheme !== undefined && wantedScheme !== scheme && !(wantedScheme === 'falcon-rs' && scheme === 'falcon')) {
      throw new KeyError(`publicKey is a key of ${SCHEMES[scheme].title}, but scheme is '${wantedScheme}': omit scheme, or pass another key`);
    }
    return { scheme: wantedScheme ?? scheme, bytes: key };
  };
  if (!pem || pem.label === 'PUBLIC KEY') {
    const spki = SPKI.find(({ prefix, length }) => {
      const head = prefix.length / 2;
      return bytes.length === head + length && hex(bytes.subarray(0, head)) === prefix;
    });
    if (spki) return check(spki.scheme, bytes.subarray(bytes.length - spki.length));
    if (pem) throw new KeyError('publicKey is in SPKI, but its algorithm is not ML-DSA, FN-DSA, Falcon or Ed25519');
    // No other scheme has raw keys of these lengths.
    const isMlDsa = SPKI.some(({ scheme, length }) => scheme === 'ml-dsa' && length === bytes.length);
    return { scheme: wantedScheme ?? (isMlDsa ? 'ml-dsa' : 'fn-dsa'), bytes };
  }
  const scheme = Object.keys(SCHEMES).find((name) => pem.label === `${SCHEMES[name].label} PUBLIC KEY`);
  if (!scheme) throw new KeyError(`publicKey is a PEM file of another kind (${pem.label}): pass a public key`);
  return check(scheme, bytes);
}

/**
 * Returns the raw signatures in a file that can belong to a scheme. A file may have signature
 * blocks by several keys. This function removes the blocks of other schemes, and the module rejects
 * signatures of other lengths. A damaged block makes the whole file invalid.
 */
function readSignatures(value, scheme) {
  const given = bytesOf(value);
  if (typeof value !== 'string' && !given) {
    throw new TypeError(`signature is ${kindOf(value)}: pass the text of a PEM file, or bytes (Uint8Array, ArrayBuffer)`);
  }
  const text = pemText(value, given, MAX_SIGNATURE_TEXT);
  const { label, maxSignature } = SCHEMES[scheme];
  const isOfScheme = (block) => block.label === `${label} SIGNATURE`;
  const found = text === undefined ? [given] : (readPem(text, MAX_SIGNATURE_TEXT) ?? []).filter(isOfScheme).map(({ bytes }) => bytes);
  return found.filter(({ length }) => length <= maxSignature);
}

/** Returns the bytes of a context. A string is encoded in UTF-8, as in `fndsa sign --context`. */
function readContext(value, scheme) {
  const bytes = value === undefined ? new Uint8Array() : typeof value === 'string' ? new TextEncoder().encode(value) : bytesOf(value);
  if (!bytes) throw new TypeError(`context is ${kindOf(value)}: pass a string or bytes (Uint8Array, ArrayBuffer)`);
  const { title, hasContext } = SCHEMES[scheme];
  if (bytes.length > 0 && !hasContext) throw new RangeError(`context is not empty, but ${title} has no context: omit it`);
  if (bytes.length > MAX_CONTEXT) throw new RangeError(`context has ${bytes.length} bytes: pass at most ${MAX_CONTEXT} bytes`);
  return bytes;
}

function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * A compiled module, or its promise, and its unused instances. An instance verifies one signature
 * at a time.
 */
class Slot {
  constructor(compiled) {
    this.compiled = compiled;
    this.idle = [];
  }

  /**
   * Returns an instance of the module, with views of the buffers in its memory that this file
   * writes to.
   */
  async instance() {
    const free = this.idle.pop();
    if (free) return free;
    const { exports } = await WebAssembly.instantiate(await this.compiled);
    const view = (at, length) => new Uint8Array(exports.memory.buffer, at, length);
    return { exports, input: view(exports.input()), piece: view(exports.piece(), exports.piece_len()) };
  }

  /** Keeps an instance for later use, after its verification has ended. */
  release(instance) {
    if (this.idle.length < 8) this.idle.push(instance);
  }

  /** Returns whether the module verifies the scheme with this number. */
  async supports(number) {
    const instance = await this.instance();
    const code = instance.exports.begin(number, 0, 0, 0);
    this.release(instance);
    return code !== UNSUPPORTED_SCHEME;
  }
}

/** The loaded modules of this package by their names. */
const slots = { verify: undefined, 'verify-ml-dsa': undefined, 'verify-ed25519': undefined };

/**
 * The modules that the caller passed to `load`, in reverse order: the last module is at index 0.
 */
let passedSlots = [];

/**
 * Loads a module of this package. If the module cannot be compiled, its slot stays empty, so the
 * next call tries again.
 */
async function loadModule(name) {
  const slot = new Slot(compile(undefined, name));
  slots[name] = slot;
  try {
    await slot.compiled;
  } catch (error) {
    if (slots[name] === slot) slots[name] = undefined;
    throw error;
  }
  return slot;
}

/** Returns the slot of the module that verifies a scheme. */
async function slotFor(scheme) {
  const { number, title, module } = SCHEMES[scheme];
  for (const slot of passedSlots) {
    if (await slot.supports(number)) return slot;
  }
  if (passedSlots.length > 0) {
    throw new Error(`no module that you passed to load supports ${title}: also pass ${module}.wasm`);
  }
  return slots[module] ?? loadModule(module);
}

/**
 * Loads the module for FN-DSA and Falcon before the first verification, and removes the modules
 * that the caller has passed. With an argument, adds a module: a compiled module, its bytes, or its
 * URL. Then only the passed modules are used. For each scheme, the last of them that supports it is
 * used.
 */
export async function load(source) {
  if (source === undefined) {
    passedSlots = [];
    await (slots.verify ?? loadModule('verify'));
    return;
  }
  const slot = new Slot(await compile(source));
  passedSlots = [slot, ...passedSlots];
}

async function compile(source, name) {
  if (source instanceof WebAssembly.Module) return source;
  const bytes = bytesOf(source);
  if (bytes) return WebAssembly.compile(bytes);
  if (source !== undefined && typeof source !== 'string' && !(source instanceof URL)) {
    throw new TypeError(`the argument of load is ${kindOf(source)}: pass no argument, a WebAssembly.Module, its bytes, or its URL`);
  }
  const hasVectors = WebAssembly.validate(SIMD_PROBE);
  // Bundlers find a module only if `new URL` has its complete name.
  const own = () => {
    if (name === 'verify-ed25519') return new URL('./verify-ed25519.wasm', import.meta.url);
    if (name === 'verify-ml-dsa') {
      return hasVectors ? new URL('./verify-ml-dsa-simd.wasm', import.meta.url) : new URL('./verify-ml-dsa.wasm', import.meta.url);
    }
    return hasVectors ? new URL('./verify-simd.wasm', import.meta.url) : new URL('./verify.wasm', import.meta.url);
  };
  const url = source === undefined ? own() : new URL(source, import.meta.url);
  if (url.protocol === 'file:' && globalThis.process?.versions?.node) {
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:fs/promises');
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: the server returned status ${response.status}; serve the module from the folder of index.js`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Checks that the options are an object with known names only. */
function checkOptions(options, known) {
  if (options === null || typeof options !== 'object') {
    throw new TypeError(`the argument is ${kindOf(options)}: pass an object { publicKey, signature }, with context if the signature has one`);
  }
  for (const name in options) {
    if (!known.includes(name)) throw new TypeError(`there is no option ${JSON.stringify(name)}: the options are ${known.join(', ')}`);
  }
}

/** Returns the error for bytes that are not a public key of the scheme. */
function noKey(scheme) {
  return new KeyError(`publicKey is not a public key of ${SCHEMES[scheme].title}: it is damaged or of another scheme (see the option scheme)`);
}

/**
 * Writes the key, the signature and the context into an instance, and begins the verification.
 * Returns undefined if the signature cannot be by the key.
 */
async function beginOne(slot, scheme, head) {
  const instance = await slot.instance();
  const { exports, input } = instance;
  const { number } = SCHEMES[scheme];
  let at = 0;
  for (const part of head) {
    input.set(part, at);
    at += part.length;
  }
  const code = exports.begin(number, ...head.map((part) => part.length));
  if (code === 0) return instance;
  slot.release(instance);
  if (code === MALFORMED_SIGNATURE) return undefined;
  if (code === INVALID_KEY) throw noKey(scheme);
  throw new Error(`the module returned ${code}: index.js and the module have different versions`);
}

/**
 * Begins to verify a signature of a message that comes in pieces.
 */
export async function createVerifier(options) {
  checkOptions(options, KEY_OPTIONS);
  const { publicKey, signature, context, scheme: wantedScheme } = options;
  if (wantedScheme !== undefined && !Object.hasOwn(SCHEMES, wantedScheme)) {
    throw new TypeError(`scheme is ${JSON.stringify(wantedScheme)}: pass one of ${Object.keys(SCHEMES).join(', ')}`);
  }
  const { scheme, bytes: key } = readKey(publicKey, wantedScheme);
  const signatures = readSignatures(signature, scheme);
  const form = readContext(context, scheme);
  if (key.length > SCHEMES[scheme].maxKey) throw noKey(scheme);

  const slot = await slotFor(scheme);
  /**
   * The verifications that have begun: one for each signature that can be by the key. If there is
   * no verification, the result is `false`.
   */
  const verifications = [];
  // If there is no signature of the scheme, an empty signature makes the module check the key.
  for (const raw of signatures.length === 0 ? [new Uint8Array()] : signatures) {
    const instance = await beginOne(slot, scheme, [key, raw, form]);
    if (instance) verifications.push(instance);
  }
  let open = true;
  const mustBeOpen = () => {
    if (!open) throw new Error('this verifier has already returned its result: create a new verifier with createVerifier');
  };
  return {
    update(data) {
      mustBeOpen();
      const bytes = bytesOf(data);
      if (!bytes) {
        const hint = typeof data === 'string' ? 'pass bytes, for example new TextEncoder().encode(text)' : 'pass a Uint8Array or an ArrayBuffer';
        throw new TypeError(`a piece of the message is ${kindOf(data)}: ${hint}`);
      }
      for (const { exports, piece } of verifications) {
        for (let from = 0; from < bytes.length; from += piece.length) {
          const part = bytes.subarray(from, from + piece.length);
          piece.set(part);
          if (exports.update(part.length) !== 0) throw new Error('the module rejects the message, because an earlier error stopped it');
        }
      }
      return this;
    },
    finish() {
      mustBeOpen();
      open = false;
      let verdict = false;
      for (const instance of verifications) {
        if (instance.exports.finish() >>> 0 === YES) verdict = true;
        slot.release(instance);
      }
      return verdict;
    },
  };
}

/**
 * Calls `take` with each piece of a message: of bytes, a Blob, a stream, or an iterable of bytes.
 */
async function eachPiece(message, take) {
  if (bytesOf(message)) return take(message);
  if (typeof Blob !== 'undefined' && message instanceof Blob) return eachPiece(message.stream(), take);
  if (typeof message?.getReader === 'function') {
    const reader = message.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return undefined;
        take(value);
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  }
  if (typeof message !== 'string' && (message?.[Symbol.asyncIterator] || message?.[Symbol.iterator])) {
    for await (const piece of message) take(piece);
    return undefined;
  }
  const hint =
    typeof message === 'string'
      ? 'pass bytes, for example new TextEncoder().encode(text)'
      : 'pass bytes (Uint8Array, ArrayBuffer), a Blob, a ReadableStream, or an iterable of bytes';
  throw new TypeError(`message is ${kindOf(message)}: ${hint}`);
}

/**
 * Returns whether a signature is valid for a message and a public key.
 */
export async function verify(options) {
  checkOptions(options, [...KEY_OPTIONS, 'message']);
  const { message, ...rest } = options;
  const verifier = await createVerifier(rest);
  await eachPiece(message, (piece) => verifier.update(piece));
  return verifier.finish();
}
