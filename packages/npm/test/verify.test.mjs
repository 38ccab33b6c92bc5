// Tests the npm package in node, as packages/npm/build makes it. FNDSA_VERIFY names its directory,
// and FNDSA names the command-line tool, which makes keys and signatures.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
const dir = process.env.FNDSA_VERIFY ?? join(target, 'npm/fndsa-verify');
const tool = process.env.FNDSA ?? join(target, 'release/fndsa');
const { KeyError, createVerifier, load, verify } = await import(pathToFileURL(join(dir, 'index.js')));

const MODULES = ['verify.wasm', 'verify-simd.wasm', 'verify-ml-dsa.wasm', 'verify-ml-dsa-simd.wasm'];
/** The module for Ed25519. */
const CLASSIC = 'verify-ed25519.wasm';
/** The modules with ML-DSA. */
const FULL = MODULES.filter((name) => name.includes('ml-dsa'));
const YES = 0x3c5aa5c3;
const bytes = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'));
const encode = (text) => new TextEncoder().encode(text);

const skipWithoutTool = existsSync(tool) ? false : `skip: keys and signatures of the command line, there is no ${tool} (set FNDSA to another path)`;
if (skipWithoutTool) console.log(skipWithoutTool);
const workDirectory = mkdtempSync(join(tmpdir(), 'fndsa-verify-'));
after(() => rmSync(workDirectory, { recursive: true }));
const fndsa = (...args) => execFileSync(tool, args, { cwd: workDirectory, stdio: ['ignore', 'pipe', 'inherit'] });
const file = (name) => readFileSync(join(workDirectory, name));

/**
 * Returns the FN-DSA vectors of tests/kat that have a message: the key, the message, the signature,
 * and whether the signature is valid.
 */
function* vectors() {
  for (const degree of [512, 1024]) {
    const path = join(root, `tests/kat/fn_dsa_${degree}_verify_test.json`);
    for (const { publicKey, tests } of JSON.parse(readFileSync(path)).testGroups) {
      for (const it of tests) {
        if (it.mu === undefined && it.preHash === undefined) yield { degree, publicKey, ...it };
      }
    }
  }
}

/** Returns the ML-DSA vectors of Wycheproof and ACVP that have a message and no pre-hash. */
function* mlDsaVectors() {
  const read = (name) => JSON.parse(readFileSync(join(root, 'tests/kat/ml-dsa', name)));
  for (const set of [44, 65, 87]) {
    for (const { publicKey, tests } of read(`wycheproof-${set}-verify.json`).groups) {
      for (const { tcId, msg, ctx = '', sig, result } of tests) {
        yield { from: `wycheproof ${set} ${tcId}`, publicKey, msg, ctx, sig, isValid: result === 'valid' };
      }
    }
  }
  for (const { signatureInterface, externalMu, preHash, tests } of read('acvp-sigver.json').groups) {
    if (signatureInterface !== 'external' || externalMu || preHash !== 'pure') continue;
    for (const { tcId, pk, message, context = '', signature, testPassed } of tests) {
      yield { from: `acvp ${tcId}`, publicKey: pk, msg: message, ctx: context, sig: signature, isValid: testPassed };
    }
  }
}

test('vectors of Ed25519 of RFC 8032, Go and Wycheproof', async () => {
  const check = async ({ publicKey, msg, ctx, sig }) =>
    verify({ publicKey: bytes(publicKey), signature: bytes(sig), message: bytes(msg), context: bytes(ctx), scheme: 'ed25519' });
  const { tests: all } = JSON.parse(readFileSync(join(root, 'tests/kat/ed25519.json')));
  // The package has no pre-hash, so it rejects signatures of Ed25519ph.
  for (const it of all.filter(({ prehash }) => prehash !== 'none')) assert.equal(await check(it), false);
  const tests = all.filter(({ prehash }) => prehash === 'none');
  assert.equal(tests.length, 8);
  for (const it of tests) {
    assert.equal(await check(it), true);
    const spki = bytes(`302a300506032b6570032100${it.publicKey}`);
    assert.equal(await verify({ publicKey: spki, signature: bytes(it.sig), message: bytes(it.msg), context: bytes(it.ctx) }), true);
    assert.equal(await check({ ...it, ctx: it.ctx.slice(2) || '00' }), false);
    assert.equal(await check({ ...it, msg: `${it.msg}00` }), false);
    for (let at = 0; at < 64; at += 1) {
      const sig = bytes(it.sig);
      sig[at] ^= 1 << at % 8;
      assert.equal(await check({ ...it, sig: Buffer.from(sig).toString('hex') }), false, `byte ${at}`);
    }
    for (const sig of ['', it.sig.slice(2), `${it.sig}00`, '00'.repeat(64)]) assert.equal(await check({ ...it, sig }), false, sig);
    // S plus the group order also satisfies the verification equation, but must be rejected.
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const little = (text) => BigInt(`0x${Buffer.from(text, 'hex').reverse().toString('hex')}`);
    const s = Buffer.from((little(it.sig.slice(64)) + order).toString(16).padStart(64, '0'), 'hex').reverse();
    assert.equal(await check({ ...it, sig: it.sig.slice(0, 64) + s.toString('hex') }), false, 'S plus the order');
  }
  const { testGroups } = JSON.parse(readFileSync(join(root, 'tests/kat/wycheproof-ed25519.json')));
  for (const { publicKey, tests } of testGroups) {
    for (const { tcId, msg, sig, result } of tests) {
      assert.equal(await check({ publicKey, msg, ctx: '', sig }), result === 'valid', `wycheproof ${tcId}`);
    }
  }
  // Points of small order, and encodings that are not canonical.
  for (const publicKey of [`01${'00'.repeat(31)}`, '00'.repeat(32), `${'ff'.repeat(31)}7f`, `ec${'ff'.repeat(30)}7f`, `ee${'ff'.repeat(30)}7f`, '00', '']) {
    await assert.rejects(check({ ...tests[0], publicKey }), (error) => error instanceof KeyError && /not a public key of Ed25519/.test(error.message), publicKey);
  }
});

test('wrong calls of the module for Ed25519 are errors and never a YES', async () => {
  const it = JSON.parse(readFileSync(join(root, 'tests/kat/ed25519.json'))).tests[6];
  const { instance } = await WebAssembly.instantiate(readFileSync(join(dir, CLASSIC)));
  const { memory, begin, update, finish, input, piece, piece_len } = instance.exports;
  const [key, signature, context, message] = [it.publicKey, it.sig, it.ctx, it.msg].map(bytes);
  const start = (number, lengths = [key.length, signature.length, context.length]) => {
    new Uint8Array(memory.buffer, input()).set([...key, ...signature, ...context]);
    return begin(number, ...lengths);
  };
  const verifyWhole = () => {
    assert.equal(start(6), 0);
    new Uint8Array(memory.buffer, piece()).set(message);
    assert.equal(update(message.length), 0);
  };
  assert.equal(finish(), 0, 'no verification was begun');
  assert.equal(update(0), 1, 'no verification was begun');
  verifyWhole();
  assert.equal(finish() >>> 0, YES);
  assert.equal(finish(), 0, 'a second call returns no verdict');
  for (const number of [0, 1, 2, 3, 4, 5, 7, 0xffffffff]) assert.equal(start(number), 1);
  for (const lengths of [[0xffffffff, 1, 0], [32, 0xffffffff, 1], [32, 64, 0xffff0000], [400, 0, 0]]) assert.equal(start(6, lengths), 2, `${lengths}`);
  assert.equal(start(6, [31, 64, 0]), 3);
  assert.equal(start(6, [32, 63, 0]), 4);
  verifyWhole();
  assert.equal(update(piece_len() + 1), 1);
  assert.equal(finish(), 0, 'a piece is too long');
  verifyWhole();
  start(0);
  assert.equal(finish(), 0, 'a failed begin ends the earlier verification');
  assert.equal(memory.buffer.byteLength, 65536, 'one page of memory');
});

for (const name of FULL) {
  test(`published vectors of ML-DSA: ${name}`, async () => {
    await load(readFileSync(join(dir, name)));
    const counts = { true: 0, false: 0 };
    for (const { from, publicKey, msg, ctx, sig, isValid } of mlDsaVectors()) {
      let isAccepted;
      try {
        isAccepted = await verify({ publicKey: bytes(publicKey), signature: bytes(sig), message: bytes(msg), context: bytes(ctx), scheme: 'ml-dsa' });
      } catch (error) {
        assert(error instanceof KeyError || error instanceof RangeError, `${from}: ${error.stack}`);
        isAccepted = false;
      }
      assert.equal(isAccepted, isValid, from);
      counts[isValid] += 1;
    }
    assert(counts.true >= 50 && counts.false >= 100, JSON.stringify(counts));
    await load();
  });
}

for (const name of MODULES) {
  test(`vectors of FN-DSA from other projects: ${name}`, async () => {
    await load(readFileSync(join(dir, name)));
    const counts = { valid: 0, invalid: 0 };
    for (const { degree, publicKey, msg, ctx, sig, result, tcId, comment } of vectors()) {
      let isAccepted;
      try {
        isAccepted = await verify({ publicKey: bytes(publicKey), signature: bytes(sig), message: bytes(msg), context: bytes(ctx) });
      } catch (error) {
        assert(error instanceof KeyError || error instanceof RangeError, `${degree} ${tcId}: ${error.stack}`);
        isAccepted = false;
      }
      assert.equal(isAccepted, result === 'valid', `${degree} ${tcId}: ${comment}`);
      counts[result] += 1;
    }
    assert(counts.valid >= 100 && counts.invalid > 500, JSON.stringify(counts));
  });

  test(`wrong calls of the module are errors and never a YES: ${name}`, async () => {
    const good = [...vectors()].find((it) => it.result === 'valid' && it.degree === 512 && it.msg !== '');
    const { instance } = await WebAssembly.instantiate(readFileSync(join(dir, name)));
    const { memory, begin, update, finish, input, piece, piece_len } = instance.exports;
    const start = (scheme, key, signature, context, lengths = [key.length, signature.length, context.length]) => {
      new Uint8Array(memory.buffer, input()).set([...key, ...signature, ...context]);
      return begin(scheme, ...lengths);
    };
    const [key, signature, context, message] = [good.publicKey, good.sig, good.ctx, good.msg].map(bytes);
    const verifyWhole = () => {
      assert.equal(start(1, key, signature, context), 0);
      new Uint8Array(memory.buffer, piece()).set(message);
      assert.equal(update(message.length), 0);
    };
    assert.equal(finish(), 0, 'no verification was begun');
    assert.equal(update(0), 1, 'no verification was begun');
    verifyWhole();
    assert.equal(finish() >>> 0, YES);
    assert.equal(finish(), 0, 'a second call returns no verdict');
    for (const scheme of [0, 6, 0xffffffff]) assert.equal(start(scheme, key, signature, context), 1);
    assert.equal(start(5, key, signature, context), FULL.includes(name) ? 3 : 1, 'ML-DSA');
    for (const lengths of [[0xffffffff, 1, 0], [897, 0xffffffff, 1], [897, 666, 0xffff0000], [8000, 0, 0]]) {
      assert.equal(start(1, key, signature, context, lengths), 2, `${lengths}`);
    }
    for (const scheme of [2, 3, 4]) assert.equal(start(scheme, key, signature, []), 3, 'a key with another bit order');
    assert.equal(start(1, bytes('02ffffffffffffffff').subarray(0, 8), signature, []), 3, 'a toy degree');
    assert.equal(start(1, [2, 1, 0, 0, 0, 0, 0, 0], signature, []), 3, 'a toy degree');
    assert.equal(start(1, key, signature.subarray(1), context), 4);
    assert.equal(start(1, key, signature, new Uint8Array(256)), 5);
    verifyWhole();
    assert.equal(update(piece_len() + 1), 1);
    assert.equal(finish(), 0, 'a piece is too long');
    verifyWhole();
    start(0, key, signature, context);
    assert.equal(finish(), 0, 'a failed begin ends the earlier verification');
    assert.equal(instance.exports.memory.buffer.byteLength, 65536, 'one page of memory');
  });
}

test('the modules are small, and the test for SIMD is a valid module', async () => {
  const all = [...MODULES, CLASSIC].map((name) => readFileSync(join(dir, name)));
  const [scalar, simd, full, fullSimd, classic] = all;
  assert(scalar.length <= 20480 && gzipSync(scalar, { level: 9 }).length <= 10240, `${scalar.length} bytes`);
  assert(simd.length <= 32768 && gzipSync(simd, { level: 9 }).length <= 15360, `${simd.length} bytes`);
  assert(full.length <= 43008 && gzipSync(full, { level: 9 }).length <= 22528, `${full.length} bytes`);
  assert(fullSimd.length <= 61440 && gzipSync(fullSimd, { level: 9 }).length <= 28672, `${fullSimd.length} bytes`);
  assert(classic.length <= 40960 && gzipSync(classic, { level: 9 }).length <= 20992, `${classic.length} bytes`);
  const code = readFileSync(join(dir, 'index.js'), 'utf8');
  const probe = Uint8Array.from(/SIMD_PROBE = Uint8Array.of\(([\d,\s]+)\)/.exec(code)[1].split(',').filter((it) => it.trim()).map(Number));
  assert(WebAssembly.validate(probe));
  assert.equal(probe[4], 1);
  for (const module of all) {
    assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(module)), []);
    assert.deepEqual(WebAssembly.Module.customSections(new WebAssembly.Module(module), 'name'), []);
  }
  // The modules contain no panic messages, and no paths of the machine that built them.
  for (const text of ['panick', '.rs', 'fndsa', '/']) {
    for (const module of all) assert(!/[a-z]{4}/.test(text) || !module.includes(text), text);
  }
});

/** Returns a module that accepts all calls. Its `finish` returns `number`. */
function moduleThatReturns(number) {
  // (module (memory (export "memory") 1)
  //   (func (export "begin") (param i32 i32 i32 i32) (result i32) i32.const 0) ..),
  // without the number in `finish`.
  const module =
    '0061736d010000000112036000017f60047f7f7f7f017f60017f017f0307060000000102000503010001074007066d656d6f7279020005696e70757400000570' +
    '6965636500010970696563655f6c656e000205626567696e00030675706461746500040666696e69736800050a2706040041000b06004180c0000b060041808001' +
    '0b040041000b040041000b080041';
  // The number in LEB128: five groups of seven bits. The last group contains the sign bit.
  const groups = [0, 7, 14, 21].map((shift) => ((number >> shift) & 0x7f) | 0x80);
  return Uint8Array.from([...bytes(module), ...groups, (number >> 28) & 0x7f, 0x0b]);
}

test('only one number of the module is a YES', async () => {
  const options = { publicKey: new Uint8Array(897), signature: new Uint8Array(666), message: encode('a message') };
  const others = [0, 1, -1, ~YES, 0x7fffffff, -0x80000000, 0x1b2796c5, 0x21330efe, ...Array.from({ length: 32 }, (_, bit) => YES ^ (1 << bit))];
  for (const number of [YES, ...others]) {
    await load(moduleThatReturns(number));
    assert.equal(await verify(options), number === YES, `${number}`);
  }
  await load();
});

test('keys and signatures of the command line, in every form', { skip: skipWithoutTool }, async () => {
  await load();
  const schemes = [
    { name: 'fn-dsa', degrees: [512, 1024], context: 'release v1', spki: true },
    { name: 'falcon', degrees: [512, 1024], encodings: ['padded', 'compressed', 'ct'], spki: true },
    { name: 'fn-dsa-2024', degrees: [512, 1024], context: 'release v1' },
    { name: 'ml-dsa', degrees: [44, 65, 87], context: 'release v1', spki: true },
    { name: 'ed25519', degrees: [undefined], context: 'release v1', spki: true },
  ];
  const message = Buffer.alloc(100_003, 'a message, longer than a piece. ');
  writeFileSync(join(workDirectory, 'm'), message);
  let verdicts = 0;
  for (const { name, degrees, context, encodings = ['padded'], spki } of schemes) {
    for (const degree of degrees) {
      fndsa('keygen', '-q', '--force', '-a', degree ? `${name}-${degree}` : name, 'k');
      // The program does not write raw keys of Ed25519.
      if (degree) fndsa('convert', '-q', '--force', 'k.pub', '--to', 'raw', '-o', 'k.raw');
      else writeFileSync(join(workDirectory, 'k.raw'), Buffer.from(file('k.pub').toString().split('\n')[1], 'base64').subarray(12));
      const keys = [{ publicKey: file('k.pub').toString() }, { publicKey: file('k.pub') }, { publicKey: file('k.raw'), scheme: name }];
      if (spki) {
        fndsa('convert', '-q', '--force', 'k.pub', '--to', 'spki', '-o', 'k.spki');
        const pem = file('k.spki').toString();
        const der = Buffer.from(pem.replace(/-----[^-]*-----/g, ''), 'base64');
        keys.push({ publicKey: pem }, { publicKey: der }, { publicKey: pem.replaceAll('\n', '\r\n'), scheme: name });
      }
      for (const encoding of encodings) {
        const more = [context ? ['--context', context] : [], encodings.length > 1 ? ['--encoding', encoding] : []].flat();
        fndsa('sign', '-q', '--force', '-k', 'k.key', ...more, 'm');
        fndsa('sign', '-q', '--force', '-k', 'k.key', ...more, '--format', 'raw', '-o', 'm.raw', 'm');
        for (const key of keys) {
          for (const signature of [file('m.sig').toString(), file('m.sig'), file('m.raw')]) {
            assert.equal(await verify({ ...key, signature, context, message }), true, `${name}-${degree} ${encoding}`);
            const other = Buffer.from(message);
            other[70_000] ^= 1;
            assert.equal(await verify({ ...key, signature, context, message: other }), false);
            if (context) assert.equal(await verify({ ...key, signature, context: 'release v2', message }), false);
            verdicts += 1;
          }
        }
        // A changed byte in the signature or in the key makes the signature invalid.
        for (let at = 0; at < file('m.raw').length; at += degree ? 61 : 3) {
          const signature = file('m.raw');
          signature[at] ^= 0x10;
          assert.equal(await verify({ ...keys[0], signature, context, message }), false, `byte ${at}`);
        }
        for (let at = 1; at < file('k.raw').length; at += degree ? 89 : 3) {
          const publicKey = file('k.raw');
          publicKey[at] ^= 1;
          assert.equal(await verify({ publicKey, scheme: name, signature: file('m.raw'), context, message }).catch(() => false), false);
        }
      }
    }
  }
  assert(verdicts > 100, `${verdicts}`);
});

test('messages in every form, and several at once', { skip: skipWithoutTool }, async () => {
  fndsa('keygen', '-q', '--force', 'k');
  const message = Buffer.alloc(1_000_001, 'the message. ');
  writeFileSync(join(workDirectory, 'm'), message);
  fndsa('sign', '-q', '--force', '-k', 'k.key', 'm');
  const [publicKey, signature] = [file('k.pub').toString(), file('m.sig').toString()];
  const pieces = (size) => Array.from({ length: Math.ceil(message.length / size) }, (_, i) => message.subarray(i * size, i * size + size));
  const exact = new Uint8Array(message).buffer;
  const messages = () => [
    message,
    exact,
    new DataView(exact),
    new Uint16Array(exact.slice(0, 1_000_000)),
    new Blob([message]),
    new Blob([message]).stream(),
    createReadStream(join(workDirectory, 'm')),
    pieces(97),
    pieces(16384),
    (async function* () {
      yield* pieces(16385);
    })(),
  ];
  const short = 3;
  const verdicts = await Promise.all(messages().map((it) => verify({ publicKey, signature, message: it })));
  assert.deepEqual(verdicts, messages().map((_, i) => i !== short));

  const verifiers = await Promise.all(Array.from({ length: 20 }, () => createVerifier({ publicKey, signature })));
  for (const piece of pieces(300_000)) verifiers.forEach((it, i) => i === 7 || it.update(piece));
  assert.deepEqual(verifiers.map((it) => it.finish()), verifiers.map((_, i) => i !== 7));
  for (const used of verifiers) {
    assert.throws(() => used.finish(), /has already returned its result/);
    assert.throws(() => used.update(message), /has already returned its result/);
  }
  // If a stream fails, there is no verdict.
  const failing = new ReadableStream({ pull: (controller) => controller.error(new Error('the network')) });
  await assert.rejects(verify({ publicKey, signature, message: failing }), /the network/);
  assert.equal(await verify({ publicKey, signature, message }), true);
});

test('what is no signature is NO, what is no key is an error, and a wrong type says what to pass', { skip: skipWithoutTool }, async () => {
  await load();
  fndsa('keygen', '-q', '--force', 'k');
  fndsa('keygen', '-q', '--force', '-a', 'falcon-512', 'f');
  writeFileSync(join(workDirectory, 'm'), 'a message');
  fndsa('sign', '-q', '--force', '-k', 'k.key', 'm');
  fndsa('sign', '-q', '--force', '-k', 'f.key', '-o', 'f.sig', 'm');
  const good = { publicKey: file('k.pub').toString(), signature: file('m.sig').toString(), message: file('m') };
  assert.equal(await verify(good), true);
  const raw = Buffer.from(good.signature.split('\n').slice(2, -2).join(''), 'base64');
  const no = [
    '',
    'not found',
    new Uint8Array(),
    new Uint8Array(666),
    new Uint8Array(5_000_000),
    raw.subarray(0, 665),
    Buffer.concat([raw, Buffer.of(0)]),
    file('f.sig'),
    good.signature + good.signature.slice(0, -60),
    good.signature.slice(0, -60) + good.signature,
    `${good.signature}text after the last block`,
    good.signature.repeat(65),
    good.signature.replace('FNDSA', 'FALCON'),
    good.signature.replaceAll('FNDSA', 'FALCON'),
    good.signature.replace('END FNDSA', 'END FNDSA2024'),
    good.signature.replace('-----END', 'A-----END'),
    good.signature.slice(0, -60),
    good.publicKey,
    '-----BEGIN '.repeat(100_000),
  ];
  for (const signature of no) assert.equal(await verify({ ...good, signature }), false, String(signature).slice(0, 200));
  for (const message of ['a messagE', '', 'a message '].map(encode)) assert.equal(await verify({ ...good, message }), false);
  assert.equal(await verify({ ...good, publicKey: (fndsa('keygen', '-q', 'other'), file('other.pub')) }), false, 'the key of somebody else');

  // The last base64 digit of a signature of 1280 bytes has unused bits, which must be zero.
  fndsa('keygen', '-q', '--force', '-a', 'fn-dsa-1024', 'long');
  fndsa('sign', '-q', '--force', '-k', 'long.key', '-o', 'long.sig', 'm');
  const long = { publicKey: file('long.pub'), signature: file('long.sig').toString(), message: file('m') };
  assert.equal(await verify(long), true);
  assert.match(long.signature, /A=\n-----END/);
  assert.equal(await verify({ ...long, signature: long.signature.replace('A=\n', 'B=\n') }), false);

  const keys = [
    ['', /not a PEM file/],
    [new Uint8Array(), /not a public key of FN-DSA/],
    [new Uint8Array(897), /not a public key of FN-DSA/],
    [new Uint8Array(1793), /not a public key of FN-DSA/],
    [new Uint8Array(1953), /not a public key of FN-DSA/],
    [new Uint8Array(100_000), /not a public key of FN-DSA/],
    [good.signature, /another kind \(FNDSA SIGNATURE\)/],
    [file('k.key'), /another kind \(FNDSA PRIVATE KEY\)/],
    [good.publicKey + file('f.pub'), /exactly one key/],
    [good.publicKey.replaceAll('FNDSA', 'FALCON'), /not a public key of Falcon/],
    ['-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n-----END PUBLIC KEY-----\n', /its algorithm is not ML-DSA, FN-DSA, Falcon or Ed25519/],
  ];
  for (const [publicKey, text] of keys) {
    await assert.rejects(verify({ ...good, publicKey }), (error) => error instanceof KeyError && text.test(error.message), `${text}`);
  }
  await assert.rejects(verify({ ...good, scheme: 'falcon' }), /a key of FN-DSA, but scheme is 'falcon'/);
  const types = [
    [undefined, /the argument is undefined: pass an object \{ publicKey, signature \}/],
    [{ ...good, publicKey: undefined }, /publicKey is undefined: pass the text of a PEM file, or bytes/],
    [{ ...good, publicKey: 7 }, /publicKey is a number/],
    [{ ...good, signature: null }, /signature is null: pass/],
    [{ ...good, signature: [1, 2] }, /signature is an Array/],
    [{ ...good, message: undefined }, /message is undefined: pass bytes/],
    [{ ...good, message: 'a message' }, /message is a string: .*TextEncoder/],
    [{ ...good, message: ['a message'] }, /a piece of the message is a string: .*TextEncoder/],
    [{ ...good, message: [1, 2, 3] }, /a piece of the message is a number/],
    [{ ...good, message: {} }, /message is an Object/],
    [{ ...good, context: 7 }, /context is a number: pass a string or bytes/],
    [{ ...good, scheme: 'rsa' }, /scheme is "rsa": pass one of fn-dsa, /],
    [{ ...good, scheme: 'toString' }, /pass one of/],
    [{ ...good, ctx: 'a' }, /there is no option "ctx": the options are publicKey, signature, context, scheme, message/],
    [{ ...good, Context: undefined }, /there is no option "Context"/],
    [Object.assign(Object.create({ prehash: 'sha512' }), good), /there is no option "prehash"/],
  ];
  for (const [options, text] of types) {
    await assert.rejects(verify(options), (error) => error instanceof TypeError && text.test(error.message), `${text}`);
  }
  for (const name of ['ctx', 'message', 'pubkey', '']) {
    const options = { publicKey: good.publicKey, signature: good.signature, [name]: 'a' };
    await assert.rejects(createVerifier(options), (error) => error instanceof TypeError && error.message.includes(`no option "${name}"`), name);
  }
  await assert.rejects(verify({ ...good, context: 'ü'.repeat(128) }), RangeError);
  const falcon = { ...good, publicKey: file('f.pub'), signature: file('f.sig') };
  await assert.rejects(verify({ ...falcon, context: 'c' }), /Falcon has no context/);
  assert.equal(await verify(falcon), true);
  await assert.rejects(load(7), /the argument of load is a number/);
  await assert.rejects(load(new Uint8Array(8)), WebAssembly.CompileError);
  await assert.rejects(load(new URL('no.wasm', pathToFileURL(dir + '/'))), /ENOENT/);
  assert.equal(await verify(good), true, 'a module that was not found leaves nothing behind');
  await load(pathToFileURL(join(dir, 'verify.wasm')).href);
  await load(new WebAssembly.Module(readFileSync(join(dir, 'verify.wasm'))));
  assert.equal(await verify(good), true);
});

test('a file with signatures by several keys is verified by the block of the key', { skip: skipWithoutTool }, async () => {
  await load();
  const message = Buffer.alloc(40_000, 'two keys');
  writeFileSync(join(workDirectory, 'dual'), message);
  const keys = { one: 'fn-dsa-512', two: 'ml-dsa-65', classic: 'ed25519', same: 'fn-dsa-512', long: 'fn-dsa-1024', third: 'ml-dsa-65' };
  for (const [name, algorithm] of Object.entries(keys)) fndsa('keygen', '-q', '--force', '-a', algorithm, name);
  const sign = (...signers) => {
    fndsa('sign', '-q', '--force', ...signers.flatMap((name) => ['-k', `${name}.key`]), 'dual');
    return file('dual.sig').toString();
  };
  const ask = (name, signature, data = message) => verify({ publicKey: file(`${name}.pub`), signature, message: data });
  for (const signers of [['one', 'classic'], ['one', 'two'], ['two', 'one', 'long'], ['same', 'one'], ['classic', 'two', 'same'], ['third', 'two', 'one']]) {
    const signature = sign(...signers);
    for (const name of Object.keys(keys)) {
      assert.equal(await ask(name, signature), signers.includes(name), `${name} of ${signers}`);
      assert.equal(await ask(name, signature, Buffer.alloc(40_000, 'two keyS')), false, `${name} of ${signers}, changed`);
    }
    assert.equal(await ask(signers[0], Buffer.from(signature.replaceAll('\n', '\r\n'))), true);
  }
  // A damaged block makes the whole file invalid, even if the block is by a different key. A block
  // from a different program does not make the file invalid.
  const both = sign('one', 'two');
  const foreign = '-----BEGIN PGP SIGNATURE-----\nAAAA\n-----END PGP SIGNATURE-----\n';
  for (const [signature, isValid] of [
    [both, true],
    [foreign + both, true],
    [both.replace('END MLDSA', 'END FNDSA'), false],
    [both.replace('-----END MLDSA', 'A-----END MLDSA'), false],
    [both.slice(0, -60), false],
    [both.split('fndsa signature ML-DSA')[0].repeat(2), true],
    [`fndsa signature ML-DSA${both.split('fndsa signature ML-DSA')[1]}`, false],
  ]) {
    assert.equal(await ask('one', signature), isValid, signature);
  }
  // If a file has several signatures in a scheme, each verification runs in a separate instance and
  // gets all pieces. Later verifications reuse these instances.
  const several = sign('same', 'one');
  // A file with many signatures can be larger than a key file.
  const many = sign('two').repeat(20);
  assert.ok(many.length > 65536);
  assert.equal(await ask('two', many), true);
  const verifier = await createVerifier({ publicKey: file('one.pub'), signature: several });
  for (let at = 0; at < message.length; at += 7919) verifier.update(message.subarray(at, at + 7919));
  assert.equal(verifier.finish(), true);
});

test('the modules for ML-DSA and Ed25519 are loaded only for their keys', { skip: skipWithoutTool }, async () => {
  const message = encode('a message');
  writeFileSync(join(workDirectory, 'lattice'), message);
  fndsa('keygen', '-q', '--force', '-a', 'ml-dsa-44', 'lattice');
  fndsa('sign', '-q', '--force', '-k', 'lattice.key', 'lattice');
  const options = { publicKey: file('lattice.pub'), signature: file('lattice.sig'), message };
  await load();
  assert.equal(await verify(options), true);
  await assert.rejects(verify({ ...options, scheme: 'fn-dsa' }), /a key of ML-DSA, but scheme is 'fn-dsa'/);
  for (const name of MODULES) {
    await load(pathToFileURL(join(dir, name)).href);
    if (FULL.includes(name)) assert.equal(await verify(options), true, name);
    else await assert.rejects(verify(options), /no module .* supports ML-DSA: also pass verify-ml-dsa.wasm/, name);
    await load();
  }
  fndsa('keygen', '-q', '--force', '-a', 'ed25519', 'classic');
  fndsa('sign', '-q', '--force', '-k', 'classic.key', '-k', 'lattice.key', 'lattice');
  const dual = { ...options, signature: file('lattice.sig') };
  const classic = { ...dual, publicKey: file('classic.pub') };
  // After the first call of `load`, the package only uses modules that were passed to `load`. Each
  // further call adds a module.
  await load(pathToFileURL(join(dir, CLASSIC)).href);
  assert.equal(await verify(classic), true);
  await assert.rejects(verify(dual), /supports ML-DSA: also pass verify-ml-dsa.wasm/);
  await load(readFileSync(join(dir, 'verify-ml-dsa.wasm')));
  assert.deepEqual([await verify(dual), await verify(classic)], [true, true]);
  // For each scheme, the last module that supports it is used. `moduleThatReturns` supports all
  // schemes, and `verify-ml-dsa.wasm` does not support Ed25519.
  await load(moduleThatReturns(0));
  assert.deepEqual([await verify(dual), await verify(classic)], [false, false]);
  await load(readFileSync(join(dir, 'verify-ml-dsa.wasm')));
  assert.deepEqual([await verify(dual), await verify(classic)], [true, false]);
  await load();
  await load(readFileSync(join(dir, 'verify-ml-dsa-simd.wasm')));
  await assert.rejects(verify(classic), /supports Ed25519: also pass verify-ed25519.wasm/);
  await load();
  assert.deepEqual([await verify(dual), await verify(classic)], [true, true]);
  await load();
  assert.equal(await verify(options), true);
});

test('the package contains exactly its files, and types for all exports', async () => {
  const files = ['LICENSE', 'README.md', 'index.d.ts', 'index.js', 'package.json', ...MODULES, CLASSIC].sort();
  assert.deepEqual(readdirSync(dir).sort(), files);
  const packed = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--offline'], { cwd: dir, stdio: ['ignore', 'pipe', 'ignore'] }));
  assert.deepEqual(packed[0].files.map((it) => it.path).sort(), files);
  const declared = readFileSync(join(dir, 'index.d.ts'), 'utf8').matchAll(/^export (?:function|class) (\w+)/gm);
  assert.deepEqual([...declared].map((it) => it[1]).sort(), ['KeyError', 'createVerifier', 'load', 'verify']);
  assert.deepEqual(Object.keys(await import(pathToFileURL(join(dir, 'index.js')))).sort(), ['KeyError', 'createVerifier', 'load', 'verify']);
  const version = /^version = "(.*)"$/m.exec(readFileSync(join(root, 'Cargo.toml'), 'utf8'))[1];
  assert.equal(packed[0].version, version, 'the package and the library have the same version');
});

test('the programs of the README work', { skip: skipWithoutTool }, () => {
  fndsa('keygen', '-q', '--force', 'release');
  fndsa('keygen', '-q', '--force', '-a', 'ml-dsa-65', 'standard');
  writeFileSync(join(workDirectory, 'app.tar.gz'), Buffer.alloc(300_000, 'a release '));
  fndsa('sign', '-q', '--force', '-k', 'release.key', '-k', 'standard.key', 'app.tar.gz');
  fndsa('sign', '-q', '--force', '-k', 'release.key', '--context', 'app 1.4.2 stable', '-o', 'app.stable.sig', 'app.tar.gz');
  mkdirSync(join(workDirectory, 'node_modules'), { recursive: true });
  symlinkSync(dir, join(workDirectory, 'node_modules/fndsa-verify'));
  const programs = [...readFileSync(join(dir, 'README.md'), 'utf8').matchAll(/<!-- test: node -->\n```js\n([^]*?)```/g)];
  assert.equal(programs.length, 3);
  const run = (program) => {
    writeFileSync(join(workDirectory, 'program.mjs'), program);
    return execFileSync(process.execPath, ['program.mjs'], { cwd: workDirectory }).toString();
  };
  for (const [, program] of programs) assert.equal(run(program), 'good\n');
  writeFileSync(join(workDirectory, 'app.tar.gz'), 'another release');
  for (const [, program] of programs) assert.match(run(program), /^NO/);
});
