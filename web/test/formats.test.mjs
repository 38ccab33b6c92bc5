// SSH signatures, JSON Web Signatures and CMS files in the page: files of ssh-keygen, OpenSSL and
// the RFCs from tests/kat, new files of ssh-keygen and OpenSSL, and files of the tool. The
// verdicts, messages and reason codes must be the same as in the tool.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { verifyInPage, fndsa, workDirectory, skipReason, openPage, writeInput, root, toolDocument } from './driver.mjs';

const bytes = (name) => readFileSync(join(workDirectory, name));
const text = (name) => readFileSync(join(workDirectory, name), 'utf8');
const run = (program, ...args) => execFileSync(program, args, { cwd: workDirectory, stdio: ['ignore', 'pipe', 'pipe'] }).toString();
/** Copies a file of tests/kat. */
const copy = (folder, name, to = name) => copyFileSync(join(root, 'tests/kat', folder, name), join(workDirectory, to));
/** Changes the byte in the middle of a file. */
function changed(content, at = Math.floor(content.length / 2)) {
  const copied = Buffer.from(content);
  copied[at] ^= 1;
  return copied;
}

/** The settings of the page that a format does not allow, with the arguments of the tool. */
const WITHOUT_EFFECT = [
  [{ context: 'c' }, /have no context: leave the context out \(usage\)/],
  [{ prehash: 'sha512' }, /have no pre-hash: leave the pre-hash out, .* \(usage\)/],
  [{ prehash: 'sha512', input: 'digest' }, /have no pre-hash/],
  [{ input: 'mu' }, /have no pre-hash/],
];
const PLAIN = { namespace: 'file', context: '', prehash: '', input: 'message', expected: '', require: 'each' };

/** Verifies with the page, with the roles that the user chooses. */
const ask = (page, { key, signature, file, options = {} }) =>
  verifyInPage(page, { [key]: 'public_key', [signature]: 'signature', [file]: 'file' }, { ...PLAIN, ...options });

/** Verifies with the page and the tool, and compares verdicts, messages and reason codes. */
async function compare(page, given, args) {
  const answer = await ask(page, given);
  const { key, signature, file } = given;
  const document = await toolDocument('-p', key, '-s', signature, ...args, file);
  const result = document.error ?? document.results.at(-1);
  const what = `${JSON.stringify(given)} ${args}: ${answer.verdict}\n${answer.results.join('\n')}\n${JSON.stringify(result)}`;
  assert.equal(answer.kind, document.ok ? 'yes' : 'no', what);
  if (!document.ok) {
    const words = [key, signature, file].reduce((left, name) => left.replace(`${name}, `, '').replace(`${name}: `, ''), result.message);
    assert((answer.verdict + answer.results).includes(words) && answer.verdict.includes(`(${result.reason})`), what);
  }
  return answer;
}

/**
 * Tests a valid signature, and then a wrong message, a wrong key, damaged files and settings
 * without effect. `args` are the arguments of the tool for the format, and `shown` is the
 * description of the format in the answer.
 */
async function checkFormat(page, given, args, { other, shown, isDer = false }) {
  const { key, signature, file } = given;
  await page.resetForm();
  const { files } = await page.choose(signature);
  assert(files[0].role === 'signature' && files[0].text.includes(shown.split(' ')[0]), JSON.stringify(files));
  const good = await compare(page, given, args);
  assert(good.kind === 'yes' && good.results[0].includes(shown), good.results[0]);

  const message = bytes(file);
  const wrong = [message.subarray(1), changed(message, 0), Buffer.concat([message, Buffer.from('x')]), Buffer.alloc(0)];
  for (const content of wrong) {
    writeInput('wrong', content);
    const answer = await compare(page, { ...given, file: 'wrong' }, args);
    assert(answer.kind === 'no' && answer.verdict.includes('(signature_mismatch)'), answer.verdict);
    assert.doesNotMatch(answer.results[0], /context/, 'the hint does not name settings that the format lacks');
  }
  assert.equal((await compare(page, { ...given, key: other }, args)).kind, 'no');

  const whole = bytes(signature);
  let rejected = 0;
  for (let i = 0; i < 24; i += 1) {
    writeInput('damaged', changed(whole, Math.floor((whole.length * (i + 0.5)) / 24)));
    const { kind } = await ask(page, { ...given, signature: 'damaged' });
    // A change to the name of the signer's certificate in a CMS file is accepted, because the name
    // is not authenticated.
    const isNo = !isDer || !(await toolDocument('-p', key, '-s', 'damaged', ...args, file)).ok;
    assert.equal(kind, isNo ? 'no' : 'yes', `byte of part ${i}`);
    rejected += isNo ? 1 : 0;
  }
  assert(rejected >= (isDer ? 6 : 24), `${rejected} damaged files were rejected`);
  writeInput('cut', whole.subarray(0, whole.length - 40));
  assert.equal((await compare(page, { ...given, signature: 'cut' }, args)).kind, 'no');
  writeInput('twice', Buffer.concat([whole, whole]));
  const twice = await ask(page, { ...given, signature: 'twice' });
  assert.equal(twice.kind, 'no', twice.verdict);
  if (isDer) assert.match(twice.verdict, /\(cms\)/);

  for (const [options, words] of WITHOUT_EFFECT) {
    const { kind, verdict } = await ask(page, { ...given, options });
    assert.equal(kind, 'no', verdict);
    assert.match(verdict, words);
  }
  assert.equal((await ask(page, given)).kind, 'yes');
}

before(() => {
  if (skipReason) return;
  fndsa('keygen', '-q', '-a', 'ed25519', 'classic');
  fndsa('keygen', '-q', '-a', 'ml-dsa-44-ed25519', 'composite');
  fndsa('keygen', '-q', '-a', 'ml-dsa-65', 'lattice');
  fndsa('keygen', '-q', 'falcon');
  // The page reads this file in three pieces. Its length needs padding in base64.
  writeInput('long', Buffer.alloc(9_000_001, 'a release '));
});

test('SSH signatures of ssh-keygen and of the tool', { skip: skipReason, timeout: 240_000 }, async () => {
  const page = await openPage();
  copy('ssh', 'msg.txt', 'ssh.txt');
  for (const name of ['ed25519', 'mldsa44-ed25519']) {
    copy('ssh', `id_${name}.pub`);
    copy('ssh', `msg.${name}.file.sshsig`, `${name}.sig`);
    copy('ssh', `msg.${name}.git-sha256.sshsig`, `${name}.git.sig`);
    const given = { key: `id_${name}.pub`, signature: `${name}.sig`, file: 'ssh.txt' };
    const other = name === 'ed25519' ? 'classic.pub' : 'composite.pub';
    await checkFormat(page, given, ['--ssh', 'file'], { other, shown: 'SSH signature for the namespace "file"' });

    // The verifier chooses the namespace, also if the signature file names a different namespace.
    const git = { ...given, signature: `${name}.git.sig` };
    const wrong = await compare(page, git, ['--ssh', 'file']);
    assert.match(wrong.verdict, /for the namespace "git", not "file" \(ssh_namespace\)/);
    await compare(page, { ...git, options: { namespace: 'git' } }, ['--ssh', 'git']);
    await compare(page, { ...given, options: { namespace: 'git' } }, ['--ssh', 'git']);
    for (const namespace of ['', 'a b', 'a"b']) {
      const { kind, verdict } = await ask(page, { ...given, options: { namespace } });
      assert(kind === 'no' && verdict.includes('(usage)'), verdict);
    }
    // A key of an algorithm without SSH signatures.
    assert.match((await compare(page, { ...given, key: 'falcon.pub' }, ['--ssh', 'file'])).verdict, /\(no_ssh_signature\)/);
  }
  for (const name of ['classic', 'composite']) {
    fndsa('sign', '-q', '-k', `${name}.key`, '--ssh', 'file', '-o', `${name}.ssh.sig`, 'long');
    await compare(page, { key: `${name}.pub`, signature: `${name}.ssh.sig`, file: 'long' }, ['--ssh', 'file']);
  }
  // The field for the namespace is shown only for SSH signatures.
  await page.resetForm();
  await page.choose('long', 'lattice.pub');
  assert.equal(await page.evaluate(`byId('ssh').hidden`), true);
  await page.choose('classic.ssh.sig');
  assert.equal(await page.evaluate(`byId('ssh').hidden || byId('namespace').value !== 'file'`), false);

  // The block of another program does not change the format of a signature file of fndsa.
  fndsa('sign', '-q', '-k', 'classic.key', '-o', 'own.sig', 'long');
  writeInput('mixed.sig', text('classic.ssh.sig') + text('own.sig'));
  const mixed = await ask(page, { key: 'classic.pub', signature: 'mixed.sig', file: 'long' });
  assert(mixed.kind === 'yes' && !mixed.results[0].includes('SSH'), mixed.results[0]);

  // A list needs a signature of fndsa, as in the tool.
  fndsa('sign', '-q', '-k', 'classic.key', '-M', 'SUMS', 'ssh.txt');
  fndsa('sign', '-q', '-f', '-k', 'classic.key', '--ssh', 'file', '-o', 'SUMS.sig', 'SUMS');
  const list = await verifyInPage(page, { 'classic.pub': 'public_key', SUMS: 'list', 'SUMS.sig': 'signature', 'ssh.txt': 'file' }, PLAIN);
  assert.match(list.verdict, /^NO: SUMS: SSH signatures are not signatures of lists: a list needs a signature of fndsa \(usage\)/);
  assert.equal(list.results.length, 1, 'no file is compared with the list');
  assert.equal((await ask(page, { key: 'classic.pub', signature: 'SUMS.sig', file: 'SUMS' })).kind, 'yes');
  await page.close();
});

test('an SSH signature that ssh-keygen makes now', { skip: skipReason }, async (t) => {
  try {
    run('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', 'id_now');
  } catch {
    return t.skip('there is no ssh-keygen (Debian: openssh-client)');
  }
  const page = await openPage();
  run('ssh-keygen', '-q', '-Y', 'sign', '-f', 'id_now', '-n', 'file', 'long');
  const given = { key: 'id_now.pub', signature: 'long.sig', file: 'long' };
  assert.equal((await compare(page, given, ['--ssh', 'file'])).kind, 'yes');
  writeInput('wrong', changed(bytes('long')));
  for (const [change, args] of [[{ file: 'wrong' }, ['--ssh', 'file']], [{ key: 'classic.pub' }, ['--ssh', 'file']], [{ options: { namespace: 'git' } }, ['--ssh', 'git']]]) {
    assert.equal((await compare(page, { ...given, ...change }, args)).kind, 'no');
  }
  return page.close();
});

test('JSON Web Signatures of the RFCs and of the tool', { skip: skipReason, timeout: 240_000 }, async () => {
  const page = await openPage();
  for (const name of ['rfc8037', 'rfc9964-ml-dsa-44', 'rfc9964-ml-dsa-65', 'rfc9964-ml-dsa-87']) {
    const vector = JSON.parse(readFileSync(join(root, 'tests/kat/jose', `${name}.json`)));
    const { d, priv, ...key } = vector.public ?? vector.jwk;
    const [header, payload, signature] = vector.jws.split('.');
    writeInput(`${name}.jwk`, JSON.stringify(key));
    writeInput(`${name}.jws`, `${header}..${signature}`);
    writeInput(`${name}.bin`, Buffer.from(payload, 'base64url'));
    const given = { key: `${name}.jwk`, signature: `${name}.jws`, file: `${name}.bin` };
    const other = name === 'rfc8037' ? 'classic.pub' : 'lattice.pub';
    await checkFormat(page, given, ['--jws'], { other, shown: 'JSON Web Signature' });
    assert.match((await compare(page, { ...given, key: 'falcon.pub' }, ['--jws'])).verdict, /\(no_jws\)/);
    // A JWS that contains the message is rejected.
    writeInput('attached', vector.jws);
    assert.match((await compare(page, { ...given, signature: 'attached' }, ['--jws'])).verdict, /\(jws\)/);
  }
  // The header decides whether the signature covers the message in base64url. The RFCs use
  // base64url, and the tool does not.
  fndsa('sign', '-q', '-k', 'lattice.key', '--jws', 'long');
  const given = { key: 'lattice.pub', signature: 'long.jws', file: 'long' };
  assert.equal((await compare(page, given, ['--jws'])).kind, 'yes');
  const [, , signature] = text('long.jws').trim().split('.');
  for (const header of [{ alg: 'none' }, { alg: 'ML-DSA-65' }, { alg: 'ML-DSA-65', b64: false, crit: ['b64'], jwk: {} }, { alg: 'ML-DSA-65', b64: false, crit: ['b64', 'x'] }]) {
    writeInput('header.jws', `${Buffer.from(JSON.stringify(header)).toString('base64url')}..${signature}`);
    assert.equal((await compare(page, { ...given, signature: 'header.jws' }, ['--jws'])).kind, 'no');
  }
  await page.close();
});

test('CMS signatures of OpenSSL and of the tool', { skip: skipReason, timeout: 240_000 }, async () => {
  const page = await openPage();
  copy('cms', 'msg.txt', 'cms.txt');
  for (const name of readdirSync(join(root, 'tests/kat/cms')).filter((it) => it.endsWith('.p7s'))) {
    const [algorithm] = name.split('.');
    copy('cms', name);
    copy('cms', `${algorithm}.crt.der`);
    const given = { key: `${algorithm}.crt.der`, signature: name, file: 'cms.txt' };
    if (name.includes('.attached.')) {
      const { verdict, results } = await compare(page, given, ['--cms']);
      assert(verdict.includes('(cms)') && results[0].includes('which this page does not read'), results[0]);
      continue;
    }
    const other = algorithm === 'ed25519' ? 'classic.pub' : 'lattice.pub';
    await checkFormat(page, given, ['--cms'], { other, shown: 'CMS signature', isDer: true });
    writeInput('pem.p7s', `-----BEGIN CMS-----\n${bytes(name).toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CMS-----\n`);
    assert.equal((await compare(page, { ...given, signature: 'pem.p7s' }, ['--cms'])).kind, 'yes');
    assert.match((await compare(page, { ...given, key: 'falcon.pub' }, ['--cms'])).verdict, /\(no_cms\)/);
    if (name.includes('.direct.')) {
      // The DER of signed attributes as the message, with a signature without attributes.
      writeInput('attributes', Buffer.from('310e300c06032a030431050403616263', 'hex'));
      assert.equal((await compare(page, { ...given, file: 'attributes' }, ['--cms'])).kind, 'no');
    }
  }
  await page.close();
});

test('a CMS signature that OpenSSL makes now', { skip: skipReason }, async (t) => {
  try {
    run('openssl', 'req', '-x509', '-newkey', 'ed25519', '-nodes', '-keyout', 'o.key', '-out', 'o.crt', '-subj', '/CN=a');
    run('openssl', 'cms', '-sign', '-binary', '-in', 'long', '-signer', 'o.crt', '-inkey', 'o.key', '-md', 'sha512', '-outform', 'DER', '-out', 'long.p7s');
  } catch {
    return t.skip('this openssl makes no CMS signature with Ed25519');
  }
  const page = await openPage();
  const given = { key: 'o.crt', signature: 'long.p7s', file: 'long' };
  assert.equal((await compare(page, given, ['--cms'])).kind, 'yes');
  writeInput('wrong', changed(bytes('long')));
  assert.equal((await compare(page, { ...given, file: 'wrong' }, ['--cms'])).kind, 'no');
  assert.equal((await compare(page, { ...given, key: 'classic.pub' }, ['--cms'])).kind, 'no');
  return page.close();
});
