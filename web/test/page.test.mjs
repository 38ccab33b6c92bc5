// Tests the page with files that the tool signed, as a user chooses them.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { verifyInPage, pageFile, fingerprint, fndsa, fndsaIn, workDirectory, skipReason, openPage, writeInput, root, runningBrowser, toolDocument, toolDocumentIn } from './driver.mjs';

/**
 * The directory for screenshots, from the variable SHOTS. People look at the pictures; the test
 * does not compare them.
 */
const screenshots = process.env.SHOTS;

before(() => {
  if (skipReason) return;
  fndsa('keygen', '-q', 'release');
  fndsa('keygen', '-q', 'other');
  fndsa('keygen', '-q', '-a', 'fn-dsa-1024', 'long');
  fndsa('keygen', '-q', '-a', 'falcon-512', 'falcon');
  fndsa('keygen', '-q', '-a', 'ml-dsa-65', 'lattice');
  fndsa('--allow-weak', 'keygen', '-q', '-a', 'fn-dsa-64', 'toy');
  writeInput('app.tar.gz', Buffer.alloc(3_000_000, 'a release '));
  writeInput('empty', '');
  for (const [key, name] of [['release', 'app.tar.gz.sig'], ['falcon', 'falcon.sig'], ['lattice', 'lattice.sig'], ['long', 'long.sig']]) {
    fndsa('sign', '-q', '-k', `${key}.key`, '-o', name, 'app.tar.gz');
  }
  fndsa('sign', '-q', '-k', 'release.key', '-c', 'release v1', '-o', 'context.sig', 'app.tar.gz');
  fndsa('sign', '-q', '-k', 'release.key', '--prehash', 'sha512', '-o', 'prehash.sig', 'app.tar.gz');
  fndsa('sign', '-q', '-k', 'long.key', '-k', 'release.key', '-o', 'both.sig', 'app.tar.gz');
  fndsa('sign', '-q', '-k', 'release.key', 'empty');
  fndsa('keygen', '-q', '--dual', 'dual');
  fndsa('sign', '-q', '-k', 'dual.key', '-k', 'dual-ed25519.key', '-o', 'dual.sig', 'app.tar.gz');
  writeInput('half.sig', readFileSync(join(workDirectory, 'dual.sig'), 'utf8').replace(/fndsa signature Ed25519[^]*/, ''));
  fndsa('convert', '-q', 'release.pub', '--to', 'spki-der', '-o', 'release.der');
  fndsa('convert', '-q', 'release.pub', '--to', 'raw', '-o', 'release.raw');
  const pem = readFileSync(join(workDirectory, 'app.tar.gz.sig'), 'utf8');
  writeInput('cut.sig', pem.slice(0, -100));
  writeInput('twice.sig', pem + pem.slice(0, -100));
  writeInput('many.sig', '-----BEGIN A-----\nAAAA\n-----END A-----\n'.repeat(65));
  fndsa('convert', '-q', 'app.tar.gz.sig', '--to', 'raw', '-o', 'raw.sig');
  const raw = readFileSync(join(workDirectory, 'raw.sig'));
  raw[raw.length - 1] ^= 1;
  writeInput('padding.sig', raw);
  writeInput('short.sig', raw.subarray(0, 600));
  const certificate = ['falcon512.crt.pem', 'falcon512.raw.sig', 'msg.bin'];
  for (const name of certificate) copyFileSync(join(root, 'tests/kat/oqs-provider', name), join(workDirectory, name));
});

test('valid signatures are accepted, and the role of a file is recognised by its content', { skip: skipReason }, async () => {
  const page = await openPage();
  assert.match(await page.evaluate(`byId('verdict').textContent`), /^No file is verified yet/);
  assert.equal((await page.evaluate('shown()')).kind, 'neutral');
  for (const [key, signature, algorithm] of [
    ['release.pub', 'app.tar.gz.sig', 'FN-DSA-512'],
    ['release.der', 'app.tar.gz.sig', 'FN-DSA-512'],
    ['release.raw', 'raw.sig', 'FN-DSA-512'],
    ['long.pub', 'long.sig', 'FN-DSA-1024'],
    ['falcon.pub', 'falcon.sig', 'Falcon-512'],
    ['lattice.pub', 'lattice.sig', 'ML-DSA-65'],
  ]) {
    if (signature === 'raw.sig') fndsa('convert', '-q', '--force', 'app.tar.gz.sig', '--to', 'raw', '-o', 'raw.sig');
    await page.resetForm();
    const { files } = await page.choose(signature, 'app.tar.gz', key);
    assert.deepEqual(files.map(({ role }) => role), ['signature', 'file', 'public_key'], JSON.stringify(files));
    assert(files[2].text.includes(fingerprint(key)), files[2].text);
    const { kind, isProven, verdict, results, advice } = await page.ask();
    assert.equal(kind, 'yes', `${key}: ${verdict} ${results}`);
    assert.equal(verdict, `VALID, by the key ${fingerprint(key)}: is it the right one?`);
    assert.equal(isProven, false);
    assert.deepEqual(results, [`app.tar.gz: OK (${algorithm}, ${fingerprint(key)}, 3,000,000 bytes)`]);
    assert.match(advice, /Compare the fingerprint/);
    await page.set({ expected: ` ${fingerprint(key).toUpperCase().replace('SHA', 'sha')} ` });
    const bound = await page.ask();
    assert.equal(bound.verdict, `YES: the signature is valid and by the expected key ${fingerprint(key)}.`);
    assert(bound.isProven && bound.advice === '', bound.advice);
  }
  const certificate = await verifyInPage(page, { 'falcon512.crt.pem': 'public_key', 'falcon512.raw.sig': 'signature', 'msg.bin': 'file' });
  assert.equal(certificate.kind, 'yes', certificate.verdict);
  assert.match(certificate.results[0], /dates are not checked/);
  const empty = await verifyInPage(page, { 'release.pub': 'public_key', 'empty.sig': 'signature', empty: 'file' });
  assert(empty.kind === 'yes' && empty.results[0].endsWith(', 0 bytes)'), empty.results[0]);
  // With `require: 'one'`, the signature of one of two keys is enough.
  const either = await verifyInPage(page, { 'other.pub': 'public_key', 'release.pub': 'public_key', 'app.tar.gz.sig': 'signature', 'app.tar.gz': 'file' }, { require: 'one' });
  assert(either.kind === 'yes' && either.verdict.includes(fingerprint('release.pub')), either.verdict);
  for (const key of ['long.pub', 'release.pub']) {
    const both = await verifyInPage(page, { [key]: 'public_key', 'both.sig': 'signature', 'app.tar.gz': 'file' });
    assert.equal(both.files[1].text, 'FN-DSA-1024 and FN-DSA-512');
    assert(both.kind === 'yes' && both.verdict.includes(fingerprint(key)), both.verdict);
  }
  const form = await verifyInPage(page, { 'release.pub': 'public_key', 'context.sig': 'signature', 'app.tar.gz': 'file' }, { context: 'release v1' });
  assert.equal(form.kind, 'yes', form.verdict);
  const hashed = await verifyInPage(page, { 'release.pub': 'public_key', 'prehash.sig': 'signature', 'app.tar.gz': 'file' }, { context: '', prehash: 'sha512' });
  assert.equal(hashed.kind, 'yes', hashed.verdict);
  await page.close();
});

test('each NO has the message and the reason code of the tool', { skip: skipReason }, async () => {
  const page = await openPage();
  writeInput('changed', Buffer.alloc(3_000_000, 'a Release '));
  writeInput('big.pub', Buffer.alloc(70_000, 'k'));
  const reasons = new Set();
  const expect = fingerprint('other.pub');
  for (const { key = 'release.pub', signature = 'app.tar.gz.sig', file = 'app.tar.gz', options = {}, args = [] } of [
    { file: 'changed' },
    { file: 'empty' },
    { key: 'other.pub' },
    { key: 'falcon.pub' },
    { key: 'lattice.pub' },
    { key: 'long.pub' },
    { key: 'release.key' },
    { key: 'app.tar.gz.sig' },
    { key: 'empty' },
    { key: 'big.pub' },
    { key: 'toy.pub' },
    { key: 'changed', file: 'changed' },
    { signature: 'release.pub' },
    { signature: 'release.key' },
    { signature: 'empty' },
    { signature: 'cut.sig' },
    { signature: 'twice.sig' },
    { signature: 'padding.sig' },
    { signature: 'short.sig' },
    { signature: 'context.sig' },
    { signature: 'prehash.sig' },
    { signature: 'falcon.sig' },
    { key: 'other.pub', signature: 'both.sig' },
    { key: 'falcon.pub', signature: 'both.sig' },
    { signature: 'many.sig' },
    { options: { context: 'release v2' }, args: ['-c', 'release v2'] },
    { options: { context: 'x'.repeat(256) }, args: ['-c', 'x'.repeat(256)] },
    { options: { prehash: 'sha256' }, args: ['--prehash', 'sha256'] },
    { options: { prehash: 'sha256', input: 'digest' }, args: ['--prehash', 'sha256', '--prehashed'] },
    { options: { input: 'mu' }, args: ['--mu'] },
    { options: { expected: expect }, args: ['--expect-key', expect] },
    { options: { algorithm: 'Falcon-512' }, args: ['-a', 'falcon-512'] },
    { key: 'falcon.pub', signature: 'falcon.sig', options: { context: 'c' }, args: ['-c', 'c'] },
    { key: 'falcon.pub', signature: 'falcon.sig', options: { input: 'mu' }, args: ['--mu'] },
    { key: 'falcon.pub', signature: 'falcon.sig', options: { prehash: 'sha224' }, args: ['--prehash', 'sha224'] },
  ]) {
    const plain = { context: '', prehash: '', input: 'message', expected: '', algorithm: '' };
    await page.resetForm();
    // The same file can have two roles here, so the test chooses a file for each role.
    for (const [name, role] of [[key, 'public_key'], [signature, 'signature'], [file, 'file']]) {
      await page.choose(name);
      await page.evaluate(`files.at(-1).role = '${role}'`);
    }
    await page.set({ ...plain, ...options });
    const { kind, verdict, results } = await page.ask();
    const document = await toolDocument('-p', key, '-s', signature, ...args, file);
    const { reason, message } = document.error ?? document.results.at(-1);
    const what = `${key} ${signature} ${file} ${args}: ${verdict}\n${results.join('\n')}\n${reason}: ${message}`;
    assert(kind === 'no' && verdict.startsWith('NO: ') && !document.ok, what);
    assert(verdict.includes(`(${reason})`), what);
    const words = [key, signature, file].reduce((text, name) => text.replace(`${name}: `, '').replace(`${name}, `, ''), message);
    assert(verdict.includes(words) || results.some((text) => text.includes(words)), what);
    reasons.add(reason);
  }
  assert(reasons.size >= 15, [...reasons].join(', '));

  // The page does not read key lines, so it rejects a key with a line that restricts the key, also
  // if the line allows this use of the key.
  const pem = readFileSync(join(workDirectory, 'release.pub'), 'utf8');
  for (const [line, kind] of [['not-after: 2999-12-31', 'no'], ['Revoked : yes', 'no'], ['context: x', 'no'], ['name=x', 'no'], ['name: x', 'yes'], ['# the key of the release', 'yes'], ['# revoked: no', 'no']]) {
    writeInput('terms.pub', `${line}\n${pem}`);
    const { verdict, ...answer } = await verifyInPage(page, { 'terms.pub': 'public_key', 'app.tar.gz.sig': 'signature', 'app.tar.gz': 'file' });
    assert.equal(answer.kind, kind, verdict);
    if (kind === 'no') assert.match(verdict, /line 1 restricts the key, and this page does not read such lines \(key_terms\)/);
  }

  // Tests choices that the tool's command line cannot express: a file is missing, or there is one
  // file too many.
  for (const [given, words, options] of [
    [{ 'app.tar.gz': 'file', 'app.tar.gz.sig': 'signature' }, /you chose no public key \(no_key\)/],
    [{ 'app.tar.gz': 'file', 'release.pub': 'public_key' }, /there is no signature for this file: choose the signature, usually app.tar.gz.sig \(not_found\)/],
    [{ 'app.tar.gz.sig': 'signature', 'release.pub': 'public_key' }, /there is no file for this signature \(not_found\)/],
    [{ 'release.pub': 'public_key' }, /there is no file to verify \(no_files\)/],
    [{ 'app.tar.gz': 'file', 'app.tar.gz.sig': 'signature', 'long.sig': 'signature', 'release.pub': 'public_key' }, /there is no file for this signature/],
    [{ 'app.tar.gz': 'file', 'app.tar.gz.sig': 'signature', changed: 'file', 'release.pub': 'public_key' }, /there is no signature for this file/],
    [{ 'app.tar.gz': 'file', 'app.tar.gz.sig': 'signature', 'release.pub': 'public_key' }, /a fingerprint is sha256: and 64/, { expected: 'sha256:00' }],
    [{ 'app.tar.gz': 'file', 'app.tar.gz.sig': 'signature', 'release.pub': 'public_key' }, /not hexadecimal/, { context: 'zz', 'context-hex': true, expected: '' }],
  ]) {
    const { kind, verdict } = await verifyInPage(page, given, options);
    assert.equal(kind, 'no', verdict);
    assert.match(verdict, words);
  }
  const { files } = await page.choose('release.key');
  assert.match(files.at(-1).text, /private key. Keep it secret/);
  assert.equal(files.at(-1).role, 'none');
  await page.close();
});

test('only one number is a YES, a YES is needed for each question, and each change removes the answer', { skip: skipReason }, async () => {
  const page = await openPage();
  const given = { 'release.pub': 'public_key', 'app.tar.gz.sig': 'signature', 'app.tar.gz': 'file' };
  assert.equal((await verifyInPage(page, given)).kind, 'yes');
  const answers = await page.evaluate(`(async () => {
    const real = worker.ask;
    const kinds = [];
    const id = files.find((row) => row.role === 'file').id;
    const wrongNumbers = [0, 1, 2, -1, ~YES, YES + 1, ...Array.from({ length: 32 }, (_, bit) => YES ^ (1 << bit)), undefined, true, 'yes', String(YES)];
    for (const verdict of [YES, ...wrongNumbers]) {
      worker.ask = async (task, onMessage) => onMessage({ about: id, verdict, report: { status: 'ok', bytes: 1 } });
      await verify();
      kinds.push(shown().kind);
    }
    for (const times of [0, 2]) {
      worker.ask = async (task, onMessage) => { for (let i = 0; i < times; i += 1) onMessage({ about: id, verdict: YES, report: { status: 'ok' } }); };
      await verify();
      kinds.push(shown().kind);
    }
    worker.ask = async () => { throw new Error('it broke'); };
    await verify();
    kinds.push(shown().kind, shown().verdict);
    worker.ask = real;
    return kinds;
  })()`);
  assert.deepEqual(answers.slice(0, 1), ['yes']);
  assert(answers.slice(1, -1).every((kind) => kind === 'no'), answers.join(' '));
  assert.match(answers.at(-1), /it broke/);
  // Each change of the files or options removes the answer.
  for (const change of [
    `byId('expected').value = ''; byId('expected').dispatchEvent(new Event('input'))`,
    `document.querySelector('#files select').dispatchEvent(new Event('change'))`,
    `addFiles([new File(['x'], 'x')])`,
    `document.querySelector('#files button').click()`,
    `byId('reset').click()`,
  ]) {
    if (change.includes('reset')) await verifyInPage(page, given);
    else assert.equal((await verifyInPage(page, given)).kind, 'yes');
    await page.evaluate(change);
    assert.match(await page.evaluate(`byId('verdict').textContent`), /^No file is verified yet/, change);
  }
  await page.evaluate(`worker.loaded.then(() => {})`);
  assert.equal((await verifyInPage(page, given)).kind, 'yes', 'after a restart of the page');
  await page.close();
});

test('lists: valid, changed, unlisted, missing, unsigned and malformed files have the verdicts of the tool', { skip: skipReason }, async () => {
  const page = await openPage();
  mkdirSync(join(workDirectory, 'l/sub'), { recursive: true });
  for (const name of ['one', 'two', 'sub/three']) writeInput(`l/${name}`, `the content of ${name}\n`);
  const sign = (...args) => fndsaIn('l', 'sign', '-q', '--force', '-k', '../release.key', ...args);
  sign('-M', 'SUMS', 'one', 'two', 'sub/three');
  const key = fingerprint('release.pub');
  const list = { 'release.pub': 'public_key', 'l/SUMS': 'list', 'l/SUMS.sig': 'signature' };
  const give = (...names) => verifyInPage(page, { ...list, ...Object.fromEntries(names.map((name) => [`l/${name}`, 'file'])) });
  /** Checks that the page shows a NO with the reason code and message of the tool's last result. */
  const same = async ({ kind, verdict, results }, ...args) => {
    const document = await toolDocumentIn('l', '-p', '../release.pub', '-M', 'SUMS', ...args);
    const { reason, message } = document.error ?? document.results.at(-1);
    const what = `${verdict}\n${results.join('\n')}\n${reason}: ${message}`;
    assert(kind === 'no' && !document.ok, what);
    // The page shows the name of the list in its first line.
    const words = message.replace(/^SUMS: /, '').replace(/ the list SUMS$/, ' the list');
    assert(verdict.includes(`(${reason})`) && (verdict.includes(words) || results.some((text) => text.includes(words))), what);
  };

  const all = await give('one', 'two', 'sub/three');
  assert.equal(all.kind, 'yes', `${all.verdict} ${all.results}`);
  assert.deepEqual(all.files.slice(0, 3).map(({ role }) => role), ['public_key', 'list', 'signature']);
  assert.match(all.results[0], new RegExp(`^SUMS: OK \\(FN-DSA-512, ${key}, 3 files in the list, \\d+ bytes\\)$`));
  assert.deepEqual(all.results.slice(1).map((text) => text.split(',')[0]), [
    'one: OK (as one in the list',
    'two: OK (as two in the list',
    'three: OK (as sub/three in the list',
  ]);
  const some = await give('sub/three');
  assert.equal(some.kind, 'yes');
  assert.equal(some.results.at(-1), 'Not checked, because you did not choose these listed files: one, two');
  const nothing = await give();
  assert.match(nothing.verdict, /no file was verified: all files of the list are missing \(nothing_verified\)/);
  assert.equal(nothing.kind, 'no');

  writeInput('l/two', 'another');
  await same(await give('one', 'two'), 'one', 'two');
  writeInput('l/four', 'not in it');
  await same(await give('four'), 'four');
  writeInput('l/two', 'the content of two\n');
  assert.equal((await give('one', 'two')).kind, 'yes');
  const unsigned = await verifyInPage(page, { 'release.pub': 'public_key', 'l/SUMS': 'list', 'l/one': 'file' });
  assert.match(unsigned.verdict, /there is no signature for this list: .* \(not_found\)/);
  const foreign = await verifyInPage(page, { ...list, 'release.pub': 'none', 'other.pub': 'public_key', 'l/one': 'file' });
  assert.match(foreign.verdict, /wrong key: .*names another key, without proof \(signature_mismatch\)/);
  assert.equal(foreign.results.length, 1, 'a rejected list has no results for its files');

  const good = readFileSync(join(workDirectory, 'l/SUMS'), 'utf8');
  writeInput('l/SUMS', good.replace('one', 'four'));
  const changed = await give('one');
  await same(changed, 'one');
  assert.equal(changed.results.length, 1);
  const line = good.split('\n')[0];
  for (const content of [
    '# nothing\n',
    `${line}\nno line\n`,
    `${line}\n${line}\n`,
    line.replace('one', '../one'),
    line.replace('one', '/one'),
    `\ufeff${line}\n`,
    `SHA512 (one) = ${line.slice(0, 64)}\n`,
    Buffer.from(`\ufeff${line}\n`, 'utf16le'),
  ]) {
    writeInput('l/SUMS', content);
    sign('SUMS');
    const answer = await give('one');
    await same(answer, 'one');
    assert.equal(answer.results.length, 1, answer.results.join(' '));
  }
  // `sign --force` replaces only a list.
  writeInput('l/SUMS', good);
  // Tests an expired list, and a list that is not expired.
  for (const [day, kind] of [['2020-02-29', 'no'], ['9999-12-31', 'yes']]) {
    sign('--best-before', day, '-M', 'SUMS', 'one');
    const dated = await give('one');
    assert.equal(dated.kind, kind, dated.verdict);
    if (kind === 'no') await same(dated, 'one');
    else assert.match(dated.results[0], /best before 9999-12-31/);
  }
  writeInput('l/SUMS', good);
  const several = await verifyInPage(page, { ...list, 'l/SUMS.sig': 'none', 'l/one': 'list', 'release.pub': 'public_key' });
  assert.match(several.verdict, /there are several lists/);
  await page.close();
});

test('the cause of a signature that does not match is reported', { skip: skipReason }, async () => {
  const page = await openPage();
  writeInput('altered', Buffer.alloc(3_000_000, 'a Release '));
  const noteless = readFileSync(join(workDirectory, 'app.tar.gz.sig'), 'utf8').replace(/^fndsa signature.*\n/, '');
  writeInput('noteless.sig', noteless);
  const [release, other] = ['release.pub', 'other.pub'].map(fingerprint);
  writeInput('relabelled.sig', readFileSync(join(workDirectory, 'app.tar.gz.sig'), 'utf8').replace(release, other));
  for (const [key, signature, file, summary, hint] of [
    ['other.pub', 'app.tar.gz.sig', 'app.tar.gz', /: wrong key: .*names another key, without proof/, new RegExp(`names ${release}, and you chose ${other}`)],
    ['release.pub', 'app.tar.gz.sig', 'altered', /: changed file: .*names the given key, without proof/, /changed or cut off.*download both again/],
    ['release.pub', 'context.sig', 'app.tar.gz', /names another context or pre-hash, without proof/, /names the context "release v1" and no pre-hash: set both under/],
    ['release.pub', 'prehash.sig', 'app.tar.gz', /names another context or pre-hash, without proof/, /names no context and the pre-hash sha512/],
    ['other.pub', 'noteless.sig', 'app.tar.gz', /: signature does not match the file and the key/, /changed or cut off, another key made the signature, or/],
    // A false signature note changes the message, but not the verdict.
    ['release.pub', 'relabelled.sig', 'altered', /: wrong key: /, new RegExp(`names ${other}`)],
    ['other.pub', 'relabelled.sig', 'app.tar.gz', /: changed file: /, /download both again/],
  ]) {
    const { kind, verdict, results } = await verifyInPage(page, { [key]: 'public_key', [signature]: 'signature', [file]: 'file' });
    const what = `${key} ${signature} ${file}: ${verdict}\n${results.join('\n')}`;
    assert(kind === 'no' && verdict.includes('(signature_mismatch)'), what);
    assert.match(verdict, summary, what);
    assert.match(results[0], hint, what);
  }
  await page.close();
});

test('a file that a browser renamed is accepted, and the name of a listed file with the same content is reported', { skip: skipReason }, async () => {
  const page = await openPage();
  mkdirSync(join(workDirectory, 'r'), { recursive: true });
  for (const name of ['app.bin', 'app.tar.gz', 'notes (2).txt']) writeInput(`r/${name}`, `the content of ${name}\n`);
  fndsaIn('r', 'sign', '-q', '--force', '-k', '../release.key', '-M', 'SUMS', 'app.bin', 'app.tar.gz', 'notes (2).txt');
  const give = (name, content) => {
    writeInput(`r/${name}`, content);
    return verifyInPage(page, { 'release.pub': 'public_key', 'r/SUMS': 'list', 'r/SUMS.sig': 'signature', [`r/${name}`]: 'file' });
  };
  for (const [name, listed] of [
    ['app (1).bin', 'app.bin'],
    ['app(12).bin', 'app.bin'],
    ['app (1).tar.gz', 'app.tar.gz'],
    ['app.tar (1).gz', 'app.tar.gz'],
    ['notes (2).txt', 'notes (2).txt'],
    ['notes (2) (1).txt', 'notes (2).txt'],
  ]) {
    const { kind, verdict, results } = await give(name, `the content of ${listed}\n`);
    assert.equal(kind, 'yes', `${name}: ${verdict}`);
    assert(results[1].startsWith(`${name}: OK (as ${listed} in the list`), results[1]);
    const changed = await give(name, 'another\n');
    assert.match(changed.verdict, /\(manifest_mismatch\)/, name);
  }
  // With any other name, the answer is NO, and the message names the listed file with this content.
  for (const name of ['copy.bin', 'app (1)x.bin', 'app ().bin', '(1).bin', 'app (one).bin', 'app (1.bin']) {
    const { kind, verdict, results } = await give(name, 'the content of app.bin\n');
    assert(kind === 'no' && verdict.includes('(not_in_manifest)'), `${name}: ${verdict}`);
    assert.match(results[1], /content of app\.bin in the list: .*rename this file to app\.bin/, name);
    assert.doesNotMatch((await give(name, 'another\n')).results[1], /rename/, name);
  }
  await page.close();
});

test('no text of the page names an option, a command or a directory of the command line', { skip: skipReason }, () => {
  const html = readFileSync(pageFile, 'utf8');
  const [whole, base64] = /id="module">([^<]*)</.exec(html);
  // Searches only the texts in the module, because its instructions can contain any bytes.
  const module = (Buffer.from(base64, 'base64').toString('latin1').match(/[\x20-\x7e]{8,}/g) ?? []).join('\n');
  // A hint names the command `sha256sum --tag`, which belongs to coreutils.
  const texts = `${html.replace(whole, '')}${module}`.replaceAll('sha256sum --tag', '');
  const found = texts.match(/[^\0\n]{0,40}( --[a-z]{3,}| -C\b|`fndsa [a-z]+|current directory)[^\0\n]{0,40}/g) ?? [];
  assert.deepEqual(found.filter((text) => !/^\s*--[a-z-]+: [^;]*;|var\(--/.test(text)), []);
});

test('a long file needs little memory, shows its progress, and can be stopped', { skip: skipReason, timeout: 240_000 }, async () => {
  const page = await openPage();
  const length = 320 << 20;
  writeInput('large', '');
  truncateSync(join(workDirectory, 'large'), length);
  fndsa('sign', '-q', '-k', 'release.key', 'large');
  /** Returns the sum of the peak memory sizes of all browser processes, in bytes. */
  const peakMemory = () => {
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const parents = new Map(all.map((pid) => {
      try {
        return [pid, /^\d+ \(.*\) . (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))[1]];
      } catch {
        return [pid, undefined];
      }
    }));
    const isOurs = (pid) => pid === String(runningBrowser().pid) || (parents.get(pid) !== undefined && isOurs(parents.get(pid)));
    return all.filter(isOurs).reduce((sum, pid) => sum + 1024 * Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0), 0);
  };
  const given = { 'release.pub': 'public_key', 'large.sig': 'signature', large: 'file' };
  await verifyInPage(page, { 'release.pub': 'public_key', 'app.tar.gz.sig': 'signature', 'app.tar.gz': 'file' });
  const earlier = peakMemory();
  await page.evaluate(`
    globalThis.steps = [];
    new MutationObserver(() => steps.push(byId('progress').value)).observe(byId('progress'), { attributes: true });`);
  const { kind, results } = await verifyInPage(page, given);
  assert.equal(kind, 'yes');
  assert(results[0].includes(`${length.toLocaleString('en')} bytes`), results[0]);
  const grown = peakMemory() - earlier;
  assert(grown < 160 << 20, `the memory grew by ${grown >> 20} MiB for a file of ${length >> 20} MiB`);
  const steps = await page.evaluate('steps');
  assert(steps.length >= 20 && steps.every((it, i) => i === 0 || it >= steps[i - 1]) && steps.at(-1) === 1000, steps.join(' '));

  const stopped = await page.evaluate(`(async () => {
    const begun = new Promise((done) => {
      const watch = new MutationObserver(() => { if (byId('progress').value > 0) { watch.disconnect(); done(); } });
      watch.observe(byId('progress'), { attributes: true });
    });
    byId('verify').click();
    await begun;
    const during = [byId('verdict').textContent, byId('verify').disabled, byId('cancel').hidden];
    byId('cancel').click();
    await worker.loaded;
    return [...during, byId('verdict').textContent, byId('verify').disabled, byId('cancel').hidden];
  })()`);
  assert.deepEqual(stopped, ['NO answer yet: the page is reading the files.', true, false, 'Stopped: no file is verified.', false, true]);
  assert.equal((await page.ask()).kind, 'yes', 'after it was stopped');
  await page.close();
});

test('the page sends no request, and its content security policy prevents requests', { skip: skipReason }, async () => {
  const page = await openPage();
  const given = { 'release.pub': 'public_key', 'app.tar.gz.sig': 'signature', 'app.tar.gz': 'file' };
  assert.equal((await verifyInPage(page, given)).kind, 'yes');
  const { events } = page;
  const urls = events.filter(({ method }) => method === 'Network.requestWillBeSent').map(({ params }) => params.request.url);
  assert(urls.length >= 1 && urls.every((url) => /^(file|blob|data):/.test(url)), urls.join(' '));
  const logEntries = events.filter(({ method }) => ['Log.entryAdded', 'Runtime.exceptionThrown', 'Runtime.consoleAPICalled'].includes(method));
  assert.deepEqual(logEntries, []);
  const html = readFileSync(pageFile, 'utf8');
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)[1];
  const rules = Object.fromEntries(policy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]));
  assert.deepEqual(Object.keys(rules).sort(), ['base-uri', 'default-src', 'form-action', 'script-src', 'style-src', 'worker-src']);
  assert.equal(rules['default-src'], "'none'");
  assert.match(rules['script-src'], /^'sha256-[\w+/]{43}=' 'wasm-unsafe-eval'$/);
  assert.match(rules['style-src'], /^'sha256-[\w+/]{43}='$/);
  assert.equal(rules['worker-src'], 'blob:');
  assert(!/https?:/.test(html.replace(/<script type="application\/wasm"[^]*?<\/script>/, '')), 'an address in the page');
  assert(!/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/.test(html));
  assert(!/\ssrc=|\shref=|\son\w+=|\sstyle=/.test(html.slice(0, html.indexOf('<script>'))), 'an external resource, or inline code');
  // The module contains no paths of the machine that built it.
  const module = Buffer.from(/id="module">([^<]*)</.exec(html)[1], 'base64');
  for (const path of [root, process.env.HOME, '/registry/src']) assert(!module.includes(path) || path === '/registry/src', path);
  assert(!module.includes(join(process.env.HOME, '.cargo')));

  const tried = await page.evaluate(`(async () => {
    const violations = [];
    document.addEventListener('securitypolicyviolation', (event) => violations.push(event.effectiveDirective));
    const outcomeOf = (work) => Promise.resolve().then(work).then(() => 'done', () => 'refused');
    const fetched = await outcomeOf(() => fetch('http://127.0.0.1:9/'));
    const read = await outcomeOf(() => fetch(location.href));
    const image = await outcomeOf(() => new Promise((done, fail) => { const it = new Image(); it.onload = done; it.onerror = fail; it.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='; }));
    const script = document.createElement('script');
    script.textContent = 'globalThis.ran = true';
    document.body.append(script);
    const style = document.createElement('style');
    style.textContent = 'body { outline: 7px solid red }';
    document.body.append(style);
    const inWorker = await new Promise((done) => {
      const code = 'fetch("http://127.0.0.1:9/").then(() => postMessage("done"), () => postMessage("refused"))';
      const thread = new Worker(URL.createObjectURL(new Blob([code])));
      thread.onmessage = ({ data }) => done(data);
      thread.onerror = () => done('no worker');
    });
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return { fetched, read, image, inWorker, ran: globalThis.ran ?? false, outline: getComputedStyle(document.body).outlineWidth, violations };
  })()`);
  assert.deepEqual([tried.fetched, tried.read, tried.image, tried.inWorker, tried.ran], ['refused', 'refused', 'refused', 'refused', false]);
  assert.notEqual(tried.outline, '7px');
  for (const rule of ['connect-src', 'img-src', 'script-src-elem', 'style-src-elem']) assert(tried.violations.includes(rule), tried.violations.join(' '));
  const responseUrls = page.events.filter(({ method }) => method === 'Network.responseReceived').map(({ params }) => params.response.url);
  assert(responseUrls.every((url) => /^(file|blob|data):/.test(url)), responseUrls.join(' '));
  await page.close();
});

/**
 * A script for the page that finds texts with too little contrast, and elements that are wider than
 * the window.
 */
const LAYOUT_CHECK = `(() => {
  const channel = (value) => { const c = value / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const backgroundOf = (node) => {
    for (let it = node; it; it = it.parentElement) {
      const color = numbers(getComputedStyle(it).backgroundColor);
      if (color.length === 3 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  const lowContrast = [];
  let seen = 0;
  for (const node of document.querySelectorAll('main *')) {
    const own = [...node.childNodes].some((it) => it.nodeType === 3 && it.textContent.trim() !== '') || node.value;
    if (!own || !node.checkVisibility() || ['SCRIPT', 'OPTION'].includes(node.tagName)) continue;
    const [one, other] = [luminance(numbers(getComputedStyle(node).color)), luminance(backgroundOf(node))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    seen += 1;
    if (ratio < 4.5) lowContrast.push(node.tagName + ' ' + node.id + ' ' + node.className + ' ' + ratio.toFixed(2));
  }
  const wide = [...document.querySelectorAll('main *')].filter((it) => it.checkVisibility() && it.getBoundingClientRect().right > innerWidth + 0.5);
  return { seen, lowContrast, wide: wide.map((it) => it.tagName + ' ' + it.id), scroll: document.documentElement.scrollWidth, width: innerWidth };
})()`;

test('the page is readable in light, dark and narrow windows, has names for screen readers, and works with the keyboard', { skip: skipReason }, async () => {
  const page = await openPage();
  const given = { 'release.pub': 'public_key', 'app.tar.gz.sig': 'signature', 'app.tar.gz': 'file' };
  const pair = { 'dual.pub': 'public_key', 'dual-ed25519.pub': 'public_key', 'app.tar.gz': 'file' };
  writeInput('keys.pub', ['dual.pub', 'dual-ed25519.pub'].map((name) => readFileSync(join(workDirectory, name), 'utf8')).join(''));
  fndsa('sign', '-q', '-k', 'dual.key', '-k', 'dual-ed25519.key', '-M', 'INLINE', '--inline', 'app.tar.gz');
  const states = {
    empty: () => page.resetForm(),
    dual: () => verifyInPage(page, { ...pair, 'dual.sig': 'signature' }),
    half: () => verifyInPage(page, { ...pair, 'half.sig': 'signature' }),
    yes: () => verifyInPage(page, given, { expected: fingerprint('release.pub') }),
    unproven: () => verifyInPage(page, given, { expected: '' }),
    together: () => verifyInPage(page, { 'keys.pub': 'public_key', INLINE: 'list', 'app.tar.gz': 'file' }),
    no: () => verifyInPage(page, { ...given, 'release.key': 'none', changed: 'file', 'long.sig': 'signature' }),
  };
  for (const [state, enter] of Object.entries(states)) {
    await enter();
    await page.evaluate(`document.querySelector('details').open = ${state === 'no'}`);
    const [kind, isProven] = await page.evaluate('[shown().kind, shown().isProven]');
    const wanted = { empty: 'neutral true', half: 'no true', yes: 'yes true', no: 'no true' }[state] ?? 'yes false';
    assert.equal(`${kind} ${isProven}`, wanted, state);
    for (const scheme of ['light', 'dark']) {
      await page.call('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
      for (const width of [1024, 360, 320]) {
        await page.call('Emulation.setDeviceMetricsOverride', { width, height: 900, deviceScaleFactor: 1, mobile: false });
        const { seen, lowContrast, wide, scroll } = await page.evaluate(LAYOUT_CHECK);
        assert(seen > 15, `${seen} texts`);
        assert.deepEqual({ lowContrast, wide }, { lowContrast: [], wide: [] }, `${state} ${scheme} ${width}`);
        assert(scroll <= width, `${state} ${scheme}: ${scroll} wide in ${width}`);
        if (screenshots) {
          const { data } = await page.call('Page.captureScreenshot', { captureBeyondViewport: true });
          mkdirSync(screenshots, { recursive: true });
          writeFileSync(join(screenshots, `${state}-${scheme}-${width}.png`), Buffer.from(data, 'base64'));
        }
      }
    }
  }
  await page.call('Emulation.clearDeviceMetricsOverride');

  const { nodes } = await page.call('Accessibility.getFullAXTree');
  const named = nodes.filter((it) => !it.ignored && ['button', 'textbox', 'combobox', 'checkbox', 'list', 'region', 'progressbar', 'status'].includes(it.role?.value));
  const withoutName = named.filter((it) => it.role.value !== 'status' && !it.name?.value).map((it) => it.role.value);
  assert(named.length > 12, `${named.length}`);
  assert.deepEqual(withoutName, []);
  assert.equal(await page.evaluate(`byId('answer').getAttribute('aria-live')`), 'polite');

  await verifyInPage(page, given);
  await page.evaluate(`document.querySelector('details').open = false; clearAnswer(); document.activeElement.blur()`);
  const press = async (key, code, text) => {
    for (const type of ['keyDown', 'keyUp']) {
      await page.call('Input.dispatchKeyEvent', { type, key, code: key, windowsVirtualKeyCode: code, text: type === 'keyDown' ? text : undefined });
    }
  };
  const focused = [];
  for (let i = 0; i < 20 && focused.at(-1) !== 'verify'; i += 1) {
    await press('Tab', 9);
    const { name, outline } = await page.evaluate(`({
      name: document.activeElement.id || document.activeElement.tagName.toLowerCase(),
      outline: Number.parseFloat(getComputedStyle(document.activeElement).outlineWidth),
    })`);
    focused.push(name);
    assert(outline >= 2, `the focus is not visible at ${name}`);
  }
  assert.deepEqual(focused, ['choose', ...Array(3).fill(['select', 'button']).flat(), 'expected', 'summary', 'verify']);
  const answered = page.evaluate(`new Promise((done) => {
    const watch = new MutationObserver(() => { if (shown().kind !== 'busy') { watch.disconnect(); done(shown()); } });
    watch.observe(byId('verdict'), { attributes: true });
  })`);
  await press('Enter', 13, '\r');
  // The first change removes the earlier answer.
  await answered;
  await page.evaluate(`new Promise((done) => { const check = () => (running || shown().kind !== 'yes' ? requestAnimationFrame(check) : done()); check(); })`);
  assert.match(await page.evaluate(`byId('verdict').textContent`), /^VALID/);
  await page.close();
});
