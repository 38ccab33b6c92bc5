// Verifies all vectors of tests/kat that have a signature in the page and with the tool. The page
// must return the result of the vector, and the verdict, reason code and message of the tool.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { workDirectory, skipReason, openPage, root, toolDocument } from './driver.mjs';

/** The distance between tested vectors: 1 tests all vectors. */
const every = Number(process.env.EVERY ?? 1);
/** Reads a file of vectors, which may be compressed. */
function read(name) {
  const path = join(root, 'tests/kat', name);
  return JSON.parse(existsSync(path) ? readFileSync(path) : gunzipSync(readFileSync(`${path}.gz`)));
}
/** Returns the tool's name for a pre-hash. */
const hashName = (name) => name.toLowerCase().replace(/^sha2-/, 'sha').replace('sha-', 'sha').replaceAll('/', '-').replace(/^shake-/, 'shake');

/**
 * Returns all vectors: public key, signature, context and input in hexadecimal, and the expected
 * result.
 */
function* vectors() {
  for (const [name, algorithm] of [['negative-a.json', ''], ['negative-b.json', 'FN-DSA-2024']]) {
    for (const it of read(name).verify) {
      const input = it.hash === 'extmu' ? 'mu' : it.hash === 'raw' ? 'message' : 'digest';
      const prehash = input === 'digest' ? hashName(it.hash) : '';
      const degree = 2 ** (Number.parseInt(it.vk.slice(0, 2), 16) & 15);
      // The page has no option for toy degrees, or for degrees that do not exist.
      const chosen = algorithm && [512, 1024].includes(degree) ? `${algorithm}-${degree}` : '';
      yield { from: `${name} ${it.name}`, key: it.vk, sig: it.sig, ctx: input === 'mu' ? '' : it.ctx, data: it.hv, input, prehash, algorithm: chosen, valid: it.valid };
    }
  }
  for (const degree of [512, 1024]) {
    const name = `fn_dsa_${degree}_verify_test.json`;
    for (const { publicKey, tests } of read(name).testGroups) {
      for (const it of tests) {
        const input = it.mu === undefined ? 'message' : 'mu';
        const prehash = it.preHash === undefined ? '' : hashName(it.preHash);
        yield { from: `${name} ${it.tcId}`, key: publicKey, sig: it.sig, ctx: it.ctx ?? '', data: it.mu ?? it.msg, input, prehash, valid: it.result === 'valid' };
      }
    }
  }
  for (const set of ['44', '65', '87']) {
    for (const [name, groups] of [[`negative-${set}-verify.json`, 'testGroups'], [`wycheproof-${set}-verify.json`, 'groups']]) {
      for (const { publicKey, tests } of read(`ml-dsa/${name}`)[groups]) {
        for (const it of tests) {
          yield { from: `${name} ${it.tcId}`, key: publicKey, sig: it.sig, ctx: it.ctx ?? '', data: it.msg, input: 'message', prehash: '', valid: it.result === 'valid' };
        }
      }
    }
  }
  for (const { signatureInterface, externalMu, tests } of read('ml-dsa/acvp-sigver.json').groups) {
    // The skipped vectors are for an internal function, which has no file format.
    if (signatureInterface !== 'external' && !externalMu) continue;
    for (const it of tests) {
      const prehash = it.hashAlg === 'none' ? '' : hashName(it.hashAlg);
      yield { from: `acvp-sigver.json ${it.tcId}`, key: it.pk, sig: it.signature, ctx: it.context ?? '', data: it.mu ?? it.message, input: externalMu ? 'mu' : 'message', prehash, valid: it.testPassed };
    }
  }
}

/** Writes the files of a vector, and returns the arguments of the tool. */
function written(it, i) {
  const name = (ending) => {
    writeFileSync(join(workDirectory, `${i}.${ending}`), Buffer.from({ pub: it.key, sig: it.sig, bin: it.data, ctx: it.ctx }[ending], 'hex'));
    return `${i}.${ending}`;
  };
  const form = [it.ctx === '' ? [] : ['--context-file', name('ctx')], it.prehash === '' ? [] : ['--prehash', it.prehash]].flat();
  if (it.input === 'digest') form.push('--prehashed');
  if (it.input === 'mu') form.push('--mu');
  if (it.algorithm) form.push('-a', it.algorithm.toLowerCase());
  return ['-p', name('pub'), '-s', name('sig'), ...form, name('bin')];
}

test('every vector has the verdict, the reason code and the message of the tool', { skip: skipReason, timeout: 240_000 }, async () => {
  const page = await openPage();
  const all = [...vectors()];
  const base64 = (digits) => Buffer.from(digits, 'hex').toString('base64');
  const seen = { yes: 0, no: 0, reasons: new Set() };
  const check = async (it, i) => {
    const given = [
      { name: `${i}.pub`, role: 'public_key', base64: base64(it.key) },
      { name: `${i}.bin.sig`, role: 'signature', base64: base64(it.sig) },
      { name: `${i}.bin`, role: 'file', base64: base64(it.data) },
    ];
    const options = { context: it.ctx, 'context-hex': true, prehash: it.prehash, input: it.input, algorithm: it.algorithm ?? '' };
    const [{ kind, verdict, results }, tool] = await Promise.all([
      page.evaluate(`verifyFiles(${JSON.stringify({ given, options })})`),
      toolDocument(...written(it, i)),
    ]);
    const what = `${it.from}: ${verdict} ${results} ${JSON.stringify(tool)}`;
    assert.equal(kind === 'yes', tool.ok, what);
    assert.equal(kind, tool.ok ? 'yes' : 'no', what);
    if (tool.ok) {
      seen.yes += 1;
      assert(it.valid, what);
      return;
    }
    seen.no += 1;
    const { reason, message } = tool.error ?? tool.results.at(-1);
    seen.reasons.add(reason);
    // A valid vector is a NO if it has a toy degree, or a pre-hash that is weaker than its key.
    if (it.valid) assert(['toy_degree', 'weak_prehash'].includes(reason), what);
    // Removes the file name that the tool writes before some messages.
    const words = message.replace(/^\d+\.(pub|sig|bin|ctx): /, '');
    assert(results.some((text) => text.includes(` ${words} (${reason})`)) || verdict.includes(words), what);
  };
  for (const [i, it] of all.entries()) if (i % every === 0) await check(it, i);
  assert(seen.yes * every > 200 && seen.no * every > 1200 && seen.reasons.size >= (every === 1 ? 12 : 6), JSON.stringify({ ...seen, reasons: [...seen.reasons] }));
  console.log(`${all.length} vectors: ${seen.yes} YES, ${seen.no} NO; ${[...seen.reasons].join(', ')}`);
});
