// Verifies signatures of FN-DSA and Falcon. The verdict is made in WebAssembly (verify.wasm, verify-simd.wasm); this file brings keys,
// signatures and messages into its memory.

/** The number by which the module says that a signature is valid. Nothing else is a YES. */
const YES = 0x3c5aa5c3;

/** Number in the module, label in PEM files, and a name for messages, of each scheme. */
const SCHEMES = {
  'fn-dsa': { number: 1, label: 'FNDSA', title: 'FN-DSA', hasContext: true },
  'fn-dsa-2024': { number: 2, label: 'FNDSA2024', title: 'FN-DSA-2024', hasContext: true },
  falcon: { number: 3, label: 'FALCON', title: 'Falcon', hasContext: false },
  'falcon-rs': { number: 4, label: 'FALCON', title: 'falcon-rs', hasContext: true },
};
const MAX_CONTEXT = 255;
/** No signature of any scheme is longer. */
const MAX_SIGNATURE = 3113;

/** What stands before the raw public key in a SubjectPublicKeyInfo (SPKI), and the length of that key. */
const SPKI = [
  { scheme: 'fn-dsa', length: 897, prefix: '3082039d3015061369a8add2e3e3c1bae88b87afba94e8a2a5b0510382038200' },
  { scheme: 'fn-dsa', length: 1793, prefix: '3082071d3015061369c0b8f6cf96b2d2ffbdb9fff7f4b08af6c87a0382070200' },
  { scheme: 'falcon', length: 897, prefix: '3082038f300706052bce0f030b0382038200' },
  { scheme: 'falcon', length: 1793, prefix: '3082070f300706052bce0f030e0382070200' },
];

/** A smallest module with instructions of simd128: valid where the engine has them. */
const SIMD_PROBE = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
);

/** The public key cannot be used: it is none, damaged, or of another scheme. */
export class KeyError extends Error {
  constructor(message) {
    super(message);
    this.name = 'KeyError';
  }
}

/** What a value is, for messages. */
function kindOf(value) {
  if (value === null) return 'null';
  const kind = typeof value;
  return kind === 'object' ? (value.constructor?.name ?? 'an object') : kind;
}

/** The bytes of a buffer or of a view of one; undefined if the value is none. */
function bytesOf(value) {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  const tag = Object.prototype.toString.call(value);
  return tag === '[object ArrayBuffer]' || tag === '[object SharedArrayBuffer]' ? new Uint8Array(value) : undefined;
}

/** No file of a key or signature in PEM is longer. */
const MAX_TEXT = 16384;

/** The bytes of the one PEM block in a text, and its label; undefined if there is not exactly one, or it is damaged. */
function readPem(text) {
  if (text.length > MAX_TEXT || text.indexOf('-----BEGIN ') !== text.lastIndexOf('-----BEGIN ')) return undefined;
  const found = /-----BEGIN ([A-Z0-9 ]+)-----\r?\n([A-Za-z0-9+/=\s]+)\r?\n-----END ([A-Z0-9 ]+)-----\s*$/.exec(text);
  if (!found || found[1] !== found[3]) return undefined;
  const base64 = found[2].replace(/\s/g, '');
  try {
    const binary = atob(base64);
    // Each file has one spelling.
    if (btoa(binary) !== base64) return undefined;
    return { label: found[1], bytes: Uint8Array.from(binary, (char) => char.charCodeAt(0)) };
  } catch {
    return undefined;
  }
}

/** The text of a PEM file, given as a string or as its bytes; undefined if the bytes are those of something else. */
function pemText(value, bytes) {
  if (typeof value === 'string') return value;
  if (bytes.length > MAX_TEXT) return undefined;
  const text = String.fromCharCode(...bytes);
  return text.includes('-----BEGIN ') ? text : undefined;
}

/** The raw public key and its scheme, out of whatever form it has. `asked` is the scheme that the caller names, if any. */
function readKey(value, asked) {
  const given = bytesOf(value);
  if (typeof value !== 'string' && !given) {
    throw new TypeError(`publicKey is ${kindOf(value)}: pass the text of a PEM file, or bytes (Uint8Array, ArrayBuffer)`);
  }
  const text = pemText(value, given);
  const pem = text === undefined ? undefined : readPem(text);
  if (text !== undefined && !pem) {
    throw new KeyError('publicKey is text, but no PEM file with exactly one key: pass what `fndsa keygen` or `fndsa pubkey` wrote');
  }
  const bytes = pem ? pem.bytes : given;
  const check = (scheme, key) => {
    if (asked !== undefined && asked !== scheme && !(asked === 'falcon-rs' && scheme === 'falcon')) {
      throw new KeyError(`publicKey is one of ${SCHEMES[scheme].title}, but scheme is '${asked}': leave scheme out, or pass another key`);
    }
    return { scheme: asked ?? scheme, bytes: key };
  };
  if (!pem || pem.label === 'PUBLIC KEY') {
    const spki = SPKI.find(({ prefix, length }) => {
      const head = prefix.length / 2;
      return bytes.length === head + length && hex(bytes.subarray(0, head)) === prefix;
    });
    if (spki) return check(spki.scheme, bytes.subarray(bytes.length - spki.length));
    if (pem) throw new KeyError('publicKey is in SPKI, but of an algorithm that is neither FN-DSA nor Falcon');
    return { scheme: asked ?? 'fn-dsa', bytes };
  }
  const scheme = Object.keys(SCHEMES).find((name) => pem.label === `${SCHEMES[name].label} PUBLIC KEY`);
  if (!scheme) throw new KeyError(`publicKey is a PEM file of another kind (${pem.label}): pass the public key`);
  return check(scheme, bytes);
}

/** The raw signature; undefined if it cannot be one of the scheme. */
function readSignature(value, scheme) {
  const given = bytesOf(value);
  if (typeof value !== 'string' && !given) {
    throw new TypeError(`signature is ${kindOf(value)}: pass the text of a PEM file, or bytes (Uint8Array, ArrayBuffer)`);
  }
  const text = pemText(value, given);
  if (text === undefined) return given.length <= MAX_SIGNATURE ? given : undefined;
  const pem = readPem(text);
  if (pem?.label !== `${SCHEMES[scheme].label} SIGNATURE`) return undefined;
  return pem.bytes.length <= MAX_SIGNATURE ? pem.bytes : undefined;
}

/** The bytes of a context: a string is taken in UTF-8, as `fndsa sign --context` does. */
function readContext(value, scheme) {
  const bytes = value === undefined ? new Uint8Array() : typeof value === 'string' ? new TextEncoder().encode(value) : bytesOf(value);
  if (!bytes) throw new TypeError(`context is ${kindOf(value)}: pass a string or bytes (Uint8Array, ArrayBuffer)`);
  const { title, hasContext } = SCHEMES[scheme];
  if (bytes.length > 0 && !hasContext) throw new RangeError(`context is not empty, but ${title} has no context: leave it out`);
  if (bytes.length > MAX_CONTEXT) throw new RangeError(`context has ${bytes.length} bytes: at most ${MAX_CONTEXT} are possible`);
  return bytes;
}

function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The compiled module, once something asked for it. */
let compiled;
/** Instances that wait for work: each has room for one verification at a time. */
let idle = [];

/**
 * Loads the module ahead of the first verification, or another copy of it: a compiled module, its bytes, or its URL.
 */
export async function load(source) {
  const pending = compile(source);
  compiled = pending;
  idle = [];
  try {
    await pending;
  } catch (error) {
    // The next call tries again.
    if (compiled === pending) compiled = undefined;
    throw error;
  }
}

async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  const bytes = bytesOf(source);
  if (bytes) return WebAssembly.compile(bytes);
  if (source !== undefined && typeof source !== 'string' && !(source instanceof URL)) {
    throw new TypeError(`load was given ${kindOf(source)}: pass nothing, a WebAssembly.Module, its bytes, or its URL`);
  }
  const own = () =>
    WebAssembly.validate(SIMD_PROBE)
      ? new URL('./verify-simd.wasm', import.meta.url)
      : new URL('./verify.wasm', import.meta.url);
  const url = source === undefined ? own() : new URL(source, import.meta.url);
  if (url.protocol === 'file:' && globalThis.process?.versions?.node) {
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:fs/promises');
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: the server says ${response.status}; the module must be served beside index.js`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** An instance of the module with the places in its memory that the host writes to. */
async function instance() {
  const free = idle.pop();
  if (free) return free;
  if (!compiled) await load();
  const home = idle;
  const { exports } = await WebAssembly.instantiate(await compiled);
  const place = (at, length) => new Uint8Array(exports.memory.buffer, at, length);
  return { home, exports, input: place(exports.input()), piece: place(exports.piece(), exports.piece_len()) };
}

/** Gives an instance back, once its verification has come to its end. */
function release(used) {
  if (used.home === idle && idle.length < 8) idle.push(used);
}

/**
 * Begins to verify a signature of a message that comes in pieces.
 */
export async function createVerifier(options) {
  if (options === null || typeof options !== 'object') {
    throw new TypeError(`the argument is ${kindOf(options)}: pass { publicKey, signature }, and context if there is one`);
  }
  const { publicKey, signature, context, scheme: asked } = options;
  if (asked !== undefined && !Object.hasOwn(SCHEMES, asked)) {
    throw new TypeError(`scheme is ${JSON.stringify(asked)}: it is one of ${Object.keys(SCHEMES).join(', ')}`);
  }
  const { scheme, bytes: key } = readKey(publicKey, asked);
  const head = [key, readSignature(signature, scheme) ?? new Uint8Array(), readContext(context, scheme)];
  const { number, title } = SCHEMES[scheme];
  const noKey = () => new KeyError(`publicKey is no public key of ${title}: it is damaged, or of another scheme (see the option scheme)`);
  if (key.length > 1793) throw noKey();

  const used = await instance();
  const { exports, input, piece } = used;
  let at = 0;
  for (const part of head) {
    input.set(part, at);
    at += part.length;
  }
  const begun = exports.begin(number, ...head.map((part) => part.length));
  if (begun === 3) {
    release(used);
    throw noKey();
  }
  // What is no signature of the key's algorithm begins nothing, and the verdict stays NO.
  if (begun !== 0 && begun !== 4) throw new Error(`the module answers ${begun}: index.js and the module are of different versions`);
  let open = true;
  const mustBeOpen = () => {
    if (!open) throw new Error('this verifier has given its verdict: make another one with createVerifier');
  };
  return {
    update(data) {
      mustBeOpen();
      const bytes = bytesOf(data);
      if (!bytes) {
        const hint = typeof data === 'string' ? 'pass bytes, for example new TextEncoder().encode(text)' : 'pass a Uint8Array or an ArrayBuffer';
        throw new TypeError(`a piece of the message is ${kindOf(data)}: ${hint}`);
      }
      for (let from = 0; begun === 0 && from < bytes.length; from += piece.length) {
        const part = bytes.subarray(from, from + piece.length);
        piece.set(part);
        if (exports.update(part.length) !== 0) throw new Error('the module does not take the message: it was stopped by an error before');
      }
      return this;
    },
    finish() {
      mustBeOpen();
      open = false;
      let verdict = false;
      if (begun === 0) verdict = exports.finish() >>> 0 === YES;
      release(used);
      return verdict;
    },
  };
}

/** Calls `take` with each piece of a message: of bytes, a Blob, a stream, or an iterable of bytes. */
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
 * Whether a signature is valid for a message and a public key.
 */
export async function verify(options) {
  const verifier = await createVerifier(options);
  await eachPiece(options.message, (piece) => verifier.update(piece));
  return verifier.finish();
}
