// Dual signatures in the page: signatures by a lattice key and an Ed25519 key in the same file. The
// page requires both signatures. The verdicts, messages and reason codes must be the same as in the
// tool with --require all.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { verifyInPage, fingerprint, fndsa, workDirectory, skipReason, openPage, writeInput, toolDocument } from './driver.mjs';

const text = (name) => readFileSync(join(workDirectory, name), 'utf8');
const [LATTICE, CLASSIC] = ['d.pub', 'd-ed25519.pub'];
const both = { [LATTICE]: 'public_key', [CLASSIC]: 'public_key' };
/** Returns the SPKI of a raw Ed25519 key. RFC 8410 defines the bytes before the key. */
const spki = (key) => Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key]);

/** Returns the two blocks of a signature file, each with its signature note. */
function halves(file) {
  const at = file.indexOf('fndsa signature Ed25519');
  return [file.slice(0, at), file.slice(at)];
}

before(() => {
  if (skipReason) return;
  fndsa('keygen', '-q', '--dual', 'd');
  fndsa('keygen', '-q', '--dual', '-a', 'ml-dsa-44', 'm');
  fndsa('keygen', '-q', 'third');
  writeInput('a', 'a message\n');
  writeInput('b', 'another message\n');
  for (const file of ['a', 'b']) fndsa('sign', '-q', '-k', 'd.key', '-k', 'd-ed25519.key', file);
  fndsa('sign', '-q', '-k', 'm.key', '-k', 'm-ed25519.key', '-o', 'm.sig', 'a');
  fndsa('sign', '-q', '-k', 'd.key', '-k', 'd-ed25519.key', '-c', 'release v1', '-o', 'context.sig', 'a');
  fndsa('sign', '-q', '-k', 'd.key', '--prehash', 'sha512', '-o', 'prehash.sig', 'a');
  const [lattice, classic] = halves(text('a.sig'));
  const [otherLattice, otherClassic] = halves(text('b.sig'));
  writeInput('lattice.sig', lattice);
  writeInput('classic.sig', classic);
  writeInput('turned.sig', classic + lattice);
  writeInput('lattice2.sig', lattice + lattice);
  writeInput('classic2.sig', classic + classic);
  writeInput('swapped.sig', lattice + otherClassic);
  writeInput('swapped2.sig', otherLattice + classic);
  writeInput('relabelled.sig', lattice + lattice.replaceAll('FNDSA SIG', 'ED25519 SIG'));
  writeInput('foreign.sig', `${lattice}-----BEGIN PGP SIGNATURE-----\nAAAA\n-----END PGP SIGNATURE-----\n`);
  fndsa('convert', '-q', CLASSIC, '-o', 'classic.der', '--to', 'spki-der');
  fndsa('convert', '-q', LATTICE, '-o', 'twin.pub', '--to', 'pem', '-a', 'falcon-512');
  fndsa('convert', '-q', 'classic.sig', '-o', 'raw.sig', '--to', 'raw');
});

test('with both keys given, both signatures must be valid, and the page names the keys that signed', { skip: skipReason }, async () => {
  const page = await openPage();
  const seen = new Map();
  const ask = async (keys, signature, file, options, args) => {
    const given = { ...Object.fromEntries(keys.map((key) => [key, 'public_key'])), [signature]: 'signature', [file]: 'file' };
    const answer = await verifyInPage(page, given, { require: 'each', expected: '', context: '', prehash: '', ...options });
    const document = await toolDocument(...keys.flatMap((key) => ['-p', key]), '-s', signature, ...args, file);
    const { reason, message } = document.error ?? document.results.at(-1);
    const what = `${keys} ${signature} ${file} ${JSON.stringify(options)} ${args}: ${answer.verdict}\n${answer.results.join('\n')}\n${reason}: ${message}`;
    assert.equal(answer.kind, document.ok ? 'yes' : 'no', what);
    if (!document.ok) {
      const words = [...keys, signature, file].reduce((said, name) => said.replace(`${name}: `, '').replace(`${name}, `, ''), message);
      assert((answer.verdict + answer.results).includes(words) && answer.verdict.includes(`(${reason})`), what);
    }
    seen.set(document.ok ? 'yes' : reason, what);
    return answer;
  };
  const all = ['--require', 'all'];
  const [lattice, classic] = [fingerprint(LATTICE), fingerprint(CLASSIC)];

  for (const signature of ['a.sig', 'turned.sig']) {
    const { verdict, results, advice } = await ask([LATTICE, CLASSIC], signature, 'a', {}, all);
    assert.equal(verdict, `VALID, by both keys ${lattice} and ${classic}: are they the right ones?`);
    assert.deepEqual(results, [`a: OK (10 bytes)signed by FN-DSA-512 ${lattice}signed by Ed25519 ${classic}`]);
    assert.match(advice, /Compare the fingerprint/);
  }
  const expected = await ask([LATTICE, CLASSIC], 'a.sig', 'a', { expected: `${classic}, ${lattice}` }, [...all, '--expect-key', classic, '--expect-key', lattice]);
  assert(expected.verdict.startsWith('YES: both signatures are valid and by the expected keys ') && expected.advice === '', expected.verdict);
  await ask(['m.pub', 'm-ed25519.pub'], 'm.sig', 'a', {}, all);
  await ask([LATTICE, CLASSIC], 'context.sig', 'a', { context: 'release v1' }, [...all, '-c', 'release v1']);

  // Tests missing blocks, repeated blocks, blocks of another file, and blocks with another label.
  for (const [signature, which] of [['lattice.sig', LATTICE], ['lattice2.sig', LATTICE], ['swapped.sig', LATTICE], ['foreign.sig', LATTICE], ['classic.sig', CLASSIC], ['classic2.sig', CLASSIC], ['swapped2.sig', CLASSIC]]) {
    const { verdict, results } = await ask([LATTICE, CLASSIC], signature, 'a', {}, all);
    assert.match(verdict, /^NO: a: 1 of 2 required keys has signed the file \(too_few_signatures\)\.$/);
    for (const key of [LATTICE, CLASSIC]) assert(results[0].includes(`${key === which ? '' : 'NOT '}signed by ${key === LATTICE ? 'FN-DSA-512' : 'Ed25519'} ${fingerprint(key)}`), results[0]);
  }
  for (const signature of ['relabelled.sig', 'context.sig', 'm.sig', 'prehash.sig']) await ask([LATTICE, CLASSIC], signature, 'a', {}, all);
  const neither = await ask([LATTICE, CLASSIC], 'a.sig', 'b', {}, all);
  assert(neither.results[0].split('NOT signed by').length === 3, neither.results[0]);
  await ask([LATTICE, CLASSIC], 'context.sig', 'a', { context: 'release v2' }, [...all, '-c', 'release v2']);
  await ask([LATTICE, CLASSIC], 'prehash.sig', 'a', { prehash: 'sha512' }, [...all, '--prehash', 'sha512']);

  // If only one of the keys is given, its signature is enough. If three keys are given, all keys
  // must have signed. With `require: 'one'`, a signature by one of them is enough.
  for (const key of [LATTICE, CLASSIC]) {
    const one = await ask([key], 'a.sig', 'a', {}, []);
    assert.equal(one.verdict, `VALID, by the key ${fingerprint(key)}: is it the right one?`);
  }
  await ask([LATTICE], 'classic.sig', 'a', {}, []);
  await ask([CLASSIC], 'lattice.sig', 'a', {}, []);
  await ask([CLASSIC], 'raw.sig', 'a', {}, []);
  await ask(['m-ed25519.pub'], 'a.sig', 'a', {}, []);
  await ask([LATTICE, CLASSIC, 'third.pub'], 'a.sig', 'a', {}, all);
  for (const signature of ['a.sig', 'lattice.sig', 'classic.sig']) await ask(['third.pub', LATTICE, CLASSIC], signature, 'a', { require: 'one' }, []);
  await ask([LATTICE, CLASSIC], 'a.sig', 'b', { require: 'one' }, []);
  await ask([CLASSIC], 'classic.sig', 'a', { context: 'c' }, ['-c', 'c']);
  await ask([CLASSIC], 'classic.sig', 'a', { prehash: 'sha512' }, ['--prehash', 'sha512']);
  await ask([CLASSIC], 'classic.sig', 'a', { prehash: 'sha256' }, ['--prehash', 'sha256']);

  // The same key in two formats, or for two schemes, counts once. A key without the expected
  // fingerprint does not count.
  const twice = await ask([CLASSIC, 'classic.der'], 'classic.sig', 'a', {}, all);
  assert.match(twice.verdict, /^VALID, by the key/);
  await ask([LATTICE, 'twin.pub'], 'lattice.sig', 'a', {}, all);
  await ask(['twin.pub', LATTICE, CLASSIC], 'lattice.sig', 'a', {}, all);
  await ask([LATTICE, CLASSIC], 'classic.sig', 'a', { expected: classic }, [...all, '--expect-key', classic]);
  await ask([LATTICE, CLASSIC], 'classic.sig', 'a', { expected: lattice }, [...all, '--expect-key', lattice]);
  assert.deepEqual([...seen.keys()].sort(), ['algorithm_mismatch', 'no_such_prehash', 'signature_mismatch', 'too_few_signatures', 'wrong_length', 'yes']);

  // The page requires that all expected keys are given. The tool counts only the given keys.
  const half = await verifyInPage(page, { [CLASSIC]: 'public_key', 'classic.sig': 'signature', a: 'file' }, { require: 'each', expected: `${lattice} ${classic}`, context: '', prehash: '' });
  assert.equal(half.verdict, `NO: a: no given public key has the expected fingerprint ${lattice} (unexpected_key).`);
  await page.close();
});

test('no change of a dual signature is accepted', { skip: skipReason }, async () => {
  const page = await openPage();
  await verifyInPage(page, { ...both, 'a.sig': 'signature', a: 'file' });
  const kinds = await page.evaluate(`(async () => {
    const row = files.find((it) => it.role === 'signature');
    const good = new Uint8Array(await row.file.arrayBuffer());
    const kinds = [];
    const digits = [...good.keys()].filter((i) => i === 0 || /[A-Za-z0-9+/]/.test(String.fromCharCode(good[i])));
    const text = new TextDecoder().decode(good);
    for (let i = 0; i < 300; i += 1) {
      const changed = good.slice();
      // Replaces a base64 character in a block with a different base64 character.
      const blocks = [...text.matchAll(/-----BEGIN[^]*?-----\\n([^]*?)-----END/g)];
      const { 1: body, index, 0: whole } = blocks[i % 2];
      const from = index + whole.indexOf(body);
      let at = from + (i * 7919) % body.length;
      while (/[\\n=]/.test(text[at])) at -= 1;
      changed[at] = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.charCodeAt((good[at] + i) % 26) === good[at] ? 48 : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.charCodeAt((good[at] + i) % 26);
      row.file = new File([changed], 'a.sig');
      await verify();
      kinds.push(shown().kind);
    }
    row.file = new File([good], 'a.sig');
    await verify();
    kinds.push(shown().kind);
    return kinds;
  })()`);
  assert.equal(kinds.length, 301);
  assert.deepEqual([...new Set(kinds.slice(0, -1))], ['no']);
  assert.equal(kinds.at(-1), 'yes');
  await page.close();
});

test('Ed25519: the vector of RFC 8032 is accepted, and invalid keys and signatures are rejected', { skip: skipReason }, async () => {
  const page = await openPage();
  // The third vector of RFC 8032, section 7.1.
  const key = Buffer.from('fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025', 'hex');
  const signature = Buffer.from('6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a', 'hex');
  writeInput('abc', Buffer.from('af82', 'hex'));
  writeInput('rfc.pub', spki(key));
  writeInput('rfc.sig', signature);
  const given = { 'rfc.pub': 'public_key', 'rfc.sig': 'signature', abc: 'file' };
  const { kind, results } = await verifyInPage(page, given);
  assert(kind === 'yes' && results[0].startsWith('abc: OK (Ed25519, sha256:'), results[0]);
  // S, the second half, plus the group order is equal to S modulo the group order, but must be
  // rejected.
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const number = (bytes) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
  const other = Buffer.from((number(signature.subarray(32)) + order).toString(16).padStart(64, '0'), 'hex').reverse();
  const ones = Buffer.alloc(32, 0xff);
  for (const [name, k, s] of [
    ['S above the order', key, Buffer.concat([signature.subarray(0, 32), other])],
    ['a key of small order', Buffer.alloc(32), Buffer.alloc(64)],
    ['the neutral point', Buffer.concat([Buffer.from([1]), Buffer.alloc(31)]), Buffer.concat([Buffer.from([1]), Buffer.alloc(63)])],
    ['no point', ones, signature],
    ['a short signature', key, signature.subarray(1)],
  ]) {
    writeInput('x.pub', spki(k));
    writeInput('x.sig', s);
    const answer = await verifyInPage(page, { 'x.pub': 'public_key', 'x.sig': 'signature', abc: 'file' });
    const document = await toolDocument('-p', 'x.pub', '-s', 'x.sig', 'abc');
    const { reason } = document.error ?? document.results.at(-1);
    assert(answer.kind === 'no' && !document.ok && answer.verdict.includes(`(${reason})`), `${name}: ${answer.verdict} ${reason}`);
  }
  // A file with 64 bytes has no recognisable content, so the page chooses the role by the name.
  writeInput('mu64', Buffer.alloc(64, 1));
  const { files } = await page.choose('mu64');
  assert.equal(files.at(-1).role, 'file');
  await page.close();
});

test('a composite of ML-DSA and Ed25519: signatures of the tool are accepted, and changed halves are rejected', { skip: skipReason }, async () => {
  const page = await openPage();
  fndsa('keygen', '-q', '-a', 'ml-dsa-44-ed25519', 'c');
  const public_key = { 'c.pub': 'public_key', a: 'file' };
  for (const [name, options] of [['c1', []], ['c2', ['-c', 'release v1']]]) {
    fndsa('sign', '-q', '-k', 'c.key', ...options, '-o', `${name}.sig`, 'a');
    const { kind, results } = await verifyInPage(page, { ...public_key, [`${name}.sig`]: 'signature' }, { context: options[1] ?? '' });
    assert(kind === 'yes' && results[0].startsWith('a: OK (ML-DSA-44-Ed25519, sha256:'), results[0]);
  }
  const wrong = await verifyInPage(page, { ...public_key, 'c2.sig': 'signature' });
  assert.equal(wrong.kind, 'no');
  fndsa('convert', '-q', 'c.pub', '--half', 'ed25519', '--to', 'spki', '-o', 'h.pub');
  const related = await verifyInPage(page, { ...public_key, 'h.pub': 'public_key', 'c1.sig': 'signature' }, { context: '' });
  assert(related.kind !== 'yes' && related.verdict.includes('is a half of a composite key'), related.verdict);
  // The last 64 of the 2484 bytes are the half for Ed25519.
  fndsa('sign', '-q', '-k', 'c.key', '--format', 'raw', '-o', 'raw1', 'a');
  fndsa('sign', '-q', '-k', 'c.key', '--format', 'raw', '-o', 'raw2', 'b');
  const [first, second] = ['raw1', 'raw2'].map((name) => readFileSync(join(workDirectory, name)));
  assert.equal(first.length, 2484);
  const swapped = [Buffer.concat([first.subarray(0, 2420), second.subarray(2420)]), Buffer.concat([second.subarray(0, 2420), first.subarray(2420)])];
  for (const bytes of [first, ...swapped]) {
    writeInput('x.sig', bytes);
    const { kind } = await verifyInPage(page, { ...public_key, 'x.sig': 'signature' });
    assert.equal(kind, bytes === first ? 'yes' : 'no');
  }
  await page.close();
});

test('a list signed by two keys requires both signatures', { skip: skipReason }, async () => {
  const page = await openPage();
  fndsa('sign', '-q', '-k', 'd.key', '-k', 'd-ed25519.key', '-M', 'SUMS', 'a', 'b');
  const given = { ...both, SUMS: 'list', 'SUMS.sig': 'signature', a: 'file', b: 'file' };
  const { kind, verdict, results } = await verifyInPage(page, given);
  assert.equal(kind, 'yes', verdict);
  assert.match(verdict, /^VALID, by both keys/);
  assert.equal(results.length, 3);
  writeInput('SUMS.sig', halves(text('SUMS.sig'))[0]);
  const stripped = await verifyInPage(page, given);
  assert.match(stripped.verdict, /^NO: SUMS: 1 of 2 required keys has signed the file \(too_few_signatures\)/);
  assert.equal(stripped.results.length, 1, 'a rejected list has no results for its files');
  await page.close();
});
