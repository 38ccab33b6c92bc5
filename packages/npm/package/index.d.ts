/** Bytes: a typed array, a Node.js Buffer, a DataView, an ArrayBuffer or a SharedArrayBuffer. */
export type Bytes = ArrayBufferView | ArrayBuffer | SharedArrayBuffer;

/**
 * A scheme: `ml-dsa` is FIPS 204, `fn-dsa` is the putative draft of FIPS 206, `fn-dsa-2024` is the
 * FN-DSA preview of 2024, `falcon` is Falcon of round 3, `falcon-rs` is the scheme of the crate
 * falcon-rs, and `ed25519` is Ed25519 of RFC 8032, or Ed25519ctx with a context.
 */
export type Scheme = 'ml-dsa' | 'fn-dsa' | 'fn-dsa-2024' | 'falcon' | 'falcon-rs' | 'ed25519';

/** A public key, a signature, and the options of a verification. */
export interface VerifierOptions {
  /**
   * The text or the bytes of a PEM file with one public key (`FNDSA PUBLIC KEY`, `FALCON PUBLIC
   * KEY`, SPKI), the SPKI in DER, or the raw key.
   */
  publicKey: string | Bytes;
  /**
   * The text or the bytes of a signature file in PEM, or the raw signature. If the file has
   * signatures by several keys, one valid signature by this key is enough.
   */
  signature: string | Bytes;
  /**
   * The context of the signature, at most 255 bytes. A string is encoded in UTF-8. Default: empty.
   */
  context?: string | Bytes;
  /**
   * The scheme. A key in PEM or SPKI contains its scheme, so you do not need this option. If you
   * pass this option, it must be the scheme of the key. Without this option, a raw key is an
   * `ml-dsa` key if it has the length of an ML-DSA key, and otherwise an `fn-dsa` key. Pass the
   * scheme of any other raw key.
   */
  scheme?: Scheme;
}

/** A message, in one piece or in many. Encode a text first: `new TextEncoder().encode(text)`. */
export type Message = Bytes | Blob | ReadableStream<Bytes> | AsyncIterable<Bytes> | Iterable<Bytes>;

/** A public key, a signature and its message. */
export interface VerifyOptions extends VerifierOptions {
  /** The message. */
  message: Message;
}

/** A verification of a message that comes in pieces. */
export interface Verifier {
  /** Adds the next piece of the message. Returns the verifier. */
  update(data: Bytes): this;
  /** Ends the message, and returns whether the signature is valid. Call it only once. */
  finish(): boolean;
}

/** The public key is damaged, is for a different scheme, or is not a key. */
export class KeyError extends Error {
  constructor(message: string);
}

/**
 * Returns whether a signature is valid for a message and a public key. If the signature is not
 * valid, the result is `false`, even if its bytes are not a signature.
 *
 * @throws {KeyError} The public key cannot be used.
 * @throws {RangeError} The context is too long, or the scheme has no context.
 * @throws {TypeError} A value has a wrong type, or an option has an unknown name. The message lists
 * the types and options that you can pass.
 */
export function verify(options: VerifyOptions): Promise<boolean>;

/**
 * Begins to verify a signature of a message that comes in pieces. Throws the same errors as
 * {@link verify}.
 */
export function createVerifier(options: VerifierOptions): Promise<Verifier>;

/**
 * Loads the WebAssembly module before the first verification. Without an argument, it loads the
 * module for FN-DSA and Falcon. On a system that cannot fetch a module from the folder of
 * `index.js`, pass a module: a compiled module, its bytes, or its URL. `verify-ml-dsa.wasm` supports
 * all schemes except Ed25519, and `verify-ed25519.wasm` supports Ed25519.
 *
 * Each call with an argument adds a module, and keeps the modules of earlier calls. Only the modules
 * that you passed are used. If several of your modules support a scheme, the last of them is used. A
 * call without an argument removes your modules: after this call, the modules in the folder of
 * `index.js` are used. To replace your modules, call `load()` before you pass the new modules.
 */
export function load(source?: WebAssembly.Module | Bytes | string | URL): Promise<void>;
