/** Bytes: a typed array, a Node.js Buffer, a DataView or a buffer. */
export type Bytes = ArrayBufferView | ArrayBuffer | SharedArrayBuffer;

/**
 * A scheme: `ml-dsa` is FIPS 204, `fn-dsa` the putative draft of FIPS 206, `fn-dsa-2024` an earlier
 * guess at that draft, `falcon` Falcon of round 3, `falcon-rs` the scheme of the crate of this
 * name.
 */
export type Scheme = 'ml-dsa' | 'fn-dsa' | 'fn-dsa-2024' | 'falcon' | 'falcon-rs';

/** What a signature is verified with. */
export interface VerifierOptions {
  /** The text or the bytes of a PEM file with one public key (`FNDSA PUBLIC KEY`, `FALCON PUBLIC KEY`, SPKI), DER, or the raw key. */
  publicKey: string | Bytes;
  /**
   * The text or the bytes of a signature file in PEM, or the raw signature. A file with signatures
   * by several keys is valid if one of them is by this key.
   */
  signature: string | Bytes;
  /** The context that was signed, at most 255 bytes; a string is taken in UTF-8. Default: empty. */
  context?: string | Bytes;
  /**
   * The scheme. A key in PEM or SPKI names its scheme: then this option is not needed, and must not
   * differ. A raw key is one of `ml-dsa` if it has the length of such a key, and one of `fn-dsa`
   * otherwise; name any other scheme here.
   */
  scheme?: Scheme;
}

/** A message, in one piece or in many. Text is encoded first: `new TextEncoder().encode(text)`. */
export type Message = Bytes | Blob | ReadableStream<Bytes> | AsyncIterable<Bytes> | Iterable<Bytes>;

/** What is verified: a signature, and the message that it is of. */
export interface VerifyOptions extends VerifierOptions {
  /** The message. */
  message: Message;
}

/** A verification of a message that comes in pieces. */
export interface Verifier {
  /** Takes the next piece of the message. Returns the verifier. */
  update(data: Bytes): this;
  /** Ends the message. Returns whether the signature is valid; may be called once. */
  finish(): boolean;
}

/** The public key cannot be used: it is none, damaged, or of another scheme. */
export class KeyError extends Error {
  constructor(message: string);
}

/**
 * Whether a signature is valid for a message and a public key. Whatever the bytes of the signature are, the answer is
 * `false` if it is not valid.
 *
 * @throws {KeyError} The public key cannot be used.
 * @throws {RangeError} The context is too long, or the scheme has none.
 * @throws {TypeError} A value is of a wrong type, or an option has an unknown name. The message
 * says what to pass.
 */
export function verify(options: VerifyOptions): Promise<boolean>;

/**
 * Begins to verify a signature of a message that comes in pieces. Throws what {@link verify} throws.
 */
export function createVerifier(options: VerifierOptions): Promise<Verifier>;

/**
 * Loads the module for FN-DSA and Falcon ahead of the first verification, or takes another module
 * for all schemes: a compiled module, its bytes, or its URL. For systems that cannot fetch a module
 * from the folder of `index.js`. `verify-ml-dsa.wasm` knows all schemes.
 */
export function load(source?: WebAssembly.Module | Bytes | string | URL): Promise<void>;
