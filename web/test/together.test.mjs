// Several public keys in a file, and lists with inline signatures. The verdicts, messages and
// reason codes of the page must be the same as in the tool.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { verifyInPage, fingerprint, fndsa, workDirectory, skipReason, openPage, writeInput, toolDocument } from './driver.mjs';

const text = (name) => readFileSync(join(workDirectory, name), 'utf8');
const [LATTICE, CLASSIC, THIRD] = ['d.pub', 'd-ed25519.pub', 'third.pub'];

before(() => {
  if (skipReason) return;
  fndsa('keygen', '-q', '--dual', 'd');
  fndsa('keygen', '-q', 'third');
  writeInput('a', 'a message\n');
  writeInput('b', 'another message\n');
  fndsa('sign', '-q', '-k', 'd.key', '-k', 'd-ed25519.key', 'a');
  const [head, tail] = text('a.sig').split(/(?=fndsa signature Ed25519)/);
  writeInput('lattice.sig', head);
  writeInput('classic.sig', tail);
});

/**
 * Verifies with the page and the tool, and compares verdicts, messages and reason codes, without
 * the file names before a message of the tool.
 */
async function compareWithTool(page, given, options, args) {
  const answer = await verifyInPage(page, given, { require: 'each', expected: '', context: '', prehash: '', ...options });
  const document = await toolDocument(...args);
  const toolResult = document.error ?? document.results.find(({ status }) => status !== 'ok') ?? document.results[0];
  const what = `${JSON.stringify(given)} ${args}: ${answer.verdict}\n${answer.results.join('\n')}\n${JSON.stringify(toolResult)}`;
  assert.equal(answer.kind, document.ok ? 'yes' : 'no', what);
  if (!document.ok) {
    const words = Object.keys(given).reduce((left, name) => left.replace(`${name}, `, '').replace(`${name}: `, ''), toolResult.message.replace(/ the list SUMS$/, ' the list'));
    assert((answer.verdict + answer.results).includes(words) && answer.verdict.includes(`(${toolResult.reason})`), what);
  }
  return answer;
}

test('several keys in a file: all keys must have signed', { skip: skipReason }, async () => {
  const page = await openPage();
  const [lattice, classic, third] = [LATTICE, CLASSIC, THIRD].map(fingerprint);
  const ask = (keys, signature = 'a.sig', options = {}, args = ['--require', 'all']) => {
    writeInput('keys', keys);
    return compareWithTool(page, { keys: 'public_key', [signature]: 'signature', a: 'file' }, options, ['--trusted-keys', 'keys', ...args, '-s', signature, 'a']);
  };
  const [one, two, three] = [LATTICE, CLASSIC, THIRD].map(text);
  const good = await ask(one + two);
  assert.equal(good.verdict, `VALID, by both keys ${lattice} and ${classic}: are they the right ones?`);
  assert.deepEqual(good.files[0], { name: 'keys', role: 'public_key', text: `FN-DSA-512 ${lattice}, Ed25519 ${classic}` });
  for (const keys of [two + one, `# ours\n\n${one}# and theirs\n${two}# the end`, (one + two).replaceAll('\n', '\r\n'), `\ufeff${one}${two}`, one + two + one, `name: ours\n${one}name: other\n${two}`]) {
    assert.equal((await ask(keys)).kind, 'yes');
  }
  // If there are two keys, also in the same file, the page shows the option for required keys.
  await page.choose('keys');
  assert.equal(await page.evaluate(`byId('several').hidden`), false);
  for (const [signature, missing] of [['lattice.sig', classic], ['classic.sig', lattice]]) {
    const stripped = await ask(one + two, signature);
    assert.match(stripped.verdict, /^NO: a: 1 of 2 required keys has signed the file \(too_few_signatures\)\.$/);
    assert(stripped.results[0].includes(missing), stripped.results[0]);
    assert.equal((await ask(one + two, signature, { require: 'one' }, [])).kind, 'yes');
  }
  const more = await ask(one + two + three);
  assert(more.kind === 'no' && more.results[0].includes(`NOT signed by FN-DSA-512 ${third}`), more.results[0]);
  assert.equal((await ask(one + two + three, 'a.sig', { expected: `${lattice} ${classic}` }, ['--require', 'all', '--expect-key', lattice, '--expect-key', classic])).kind, 'yes');
  await ask(one + one, 'lattice.sig');
  await ask(three + three);

  // If a key in the file is damaged, has another kind or is for another program, the page rejects
  // all keys of the file.
  const head = one.indexOf('\n', one.indexOf('BEGIN')) + 3;
  for (const [bad, reason] of [
    [`${one.slice(0, head)}////${one.slice(head + 4)}`, 'key_invalid'],
    [one.replace('END FNDSA', 'END FALCON'), 'labels_differ'],
    [one.replace(/-----END.*\n/, ''), 'end_line_missing'],
    [text('lattice.sig'), 'wrong_role'],
    [text('third.key'), 'wrong_role'],
    ['-----BEGIN PGP PUBLIC KEY BLOCK-----\nAAAA\n-----END PGP PUBLIC KEY BLOCK-----\n', 'foreign_file'],
  ]) {
    for (const [keys, number] of [[bad + two, 1], [two + bad, 2]]) {
      const answer = await ask(keys, 'classic.sig');
      assert(answer.kind === 'no' && answer.verdict.startsWith(`NO: keys: key ${number}: `), `${reason}: ${answer.verdict}`);
    }
  }
  // The page does not read lines that restrict a key, so it rejects a file with such a line, at any
  // key.
  for (const keys of [`revoked: stolen\n${one}${two}`, `${one}not-after: 2096-02-29\n${two}`, `${one}${two}context: ci\n`]) {
    writeInput('keys', keys);
    const { verdict } = await verifyInPage(page, { keys: 'public_key', 'a.sig': 'signature', a: 'file' });
    assert.match(verdict, /^NO: keys: key [12]: line \d+ restricts the key, and this page does not read such lines \(key_terms\)/);
  }
  // The page recognises a private key, also after other keys, and rejects a file with too many
  // keys.
  writeInput('keys', one + text('third.key'));
  assert.equal((await page.choose('keys')).files.at(-1).role, 'none');
  writeInput('keys', text(CLASSIC).repeat(65));
  const { verdict } = await verifyInPage(page, { keys: 'public_key', 'a.sig': 'signature', a: 'file' });
  assert.match(verdict, /65 public keys, but this page accepts at most 64 \(too_many_keys\)/);
  await page.close();
});

test('a list with an inline signature', { skip: skipReason }, async () => {
  const page = await openPage();
  const given = { [LATTICE]: 'public_key', [CLASSIC]: 'public_key', SUMS: 'list', a: 'file', b: 'file' };
  const keys = ['-p', LATTICE, '-p', CLASSIC, '--require', 'all'];
  const ask = (options = {}, args = []) => compareWithTool(page, given, options, [...keys, ...args, '-M', 'SUMS', 'a', 'b']);
  const sign = (...args) => fndsa('sign', '-q', '-f', '-M', 'SUMS', '--inline', ...args, 'a', 'b');
  sign('-k', 'd.key', '-k', 'd-ed25519.key', '--comment', 'Release 1');
  const good = text('SUMS');
  const answer = await ask();
  assert.match(answer.verdict, /^VALID, by both keys/);
  assert.equal(answer.results.length, 3);
  assert.deepEqual(answer.files[2], { name: 'SUMS', role: 'list', text: 'with an inline signature' });

  const at = good.indexOf('# fndsa signature');
  const second = good.indexOf('# fndsa signature', at + 1);
  const [list, lattice, classic] = [good.slice(0, at), good.slice(at, second), good.slice(second)];
  const rejected = [
    ['without the second signature', list + lattice, 'too_few_signatures'],
    ['without the first signature', list + classic, 'too_few_signatures'],
    ['the first signature twice', list + lattice + lattice, 'too_few_signatures'],
    ['the second signature twice', list + lattice + classic + classic, 'inline_form'],
    ['the whole file twice', good + good, 'inline_form'],
    ['an entry changed', good.replace(/^[0-9a-f]{4}/m, '0000'), 'signature_mismatch'],
    ['an entry added', `${'0'.repeat(64)}  c\n${good}`, 'signature_mismatch'],
    ['an entry after the signatures', `${good}${'0'.repeat(64)}  c\n`, 'inline_form'],
    ['a comment after the signatures', `${good}# more\n`, 'inline_form'],
    ['a comment before the signatures', `${list}# more\n${lattice}${classic}`, 'signature_mismatch'],
    ['a note that names another key', good.replace(fingerprint(LATTICE), fingerprint(THIRD)), 'inline_form'],
    ['a note with the key of the other signature', list + lattice + classic.replace(/^.*\n/, lattice.split('\n')[0] + '\n'), 'inline_form'],
    ['a block without its note', list + lattice + classic.replace(/^.*\n/, ''), 'inline_form'],
    ['other line ends', good.replaceAll('\n', '\r\n'), 'inline_form'],
    ['a cut file', good.slice(0, -30), 'inline_form'],
    ['a line without its comment mark', list + lattice + classic.replace('\n# ', '\n'), 'inline_form'],
  ];
  for (const [what, content, reason] of rejected) {
    writeInput('SUMS', content);
    const { kind, verdict, results } = await ask();
    assert(kind === 'no' && verdict.includes(`(${reason})`) && results.length === 1, `${what}: ${verdict}`);
  }
  // A list without its inline signature is an unsigned list.
  writeInput('SUMS', list);
  const bare = await verifyInPage(page, given);
  assert.match(bare.verdict, /^NO: SUMS: there is no signature for this list: .* \(not_found\)\.$/);
  // If a list has an inline signature and a signature file, the page reports an error, because the
  // weaker signature would decide.
  fndsa('sign', '-q', '-k', 'd.key', '-k', 'd-ed25519.key', '-o', 'SUMS.sig', 'SUMS');
  assert.equal((await verifyInPage(page, { ...given, 'SUMS.sig': 'signature' })).kind, 'yes');
  writeInput('SUMS', good);
  fndsa('sign', '-q', '-f', '-k', 'd.key', '-k', 'd-ed25519.key', '-o', 'SUMS.sig', 'SUMS');
  const both = await verifyInPage(page, { ...given, 'SUMS.sig': 'signature' });
  assert.match(both.verdict, /^NO: SUMS: this list has two signatures: an inline signature, and the signature file that you chose \(usage\)\.$/);
  assert.equal(both.results.length, 1);
  writeInput('SUMS', `${good}# more\n`);
  fndsa('sign', '-q', '-f', '-k', 'd.key', '-k', 'd-ed25519.key', '-o', 'SUMS.sig', 'SUMS');
  assert.match((await verifyInPage(page, { ...given, 'SUMS.sig': 'signature' })).verdict, /\(inline_form\)/);

  // Tests changed files, an expired list, and the context.
  writeInput('SUMS', good);
  writeInput('b', 'changed\n');
  assert.equal((await ask()).results.length, 3);
  writeInput('b', 'another message\n');
  sign('-k', 'd.key', '-k', 'd-ed25519.key', '--best-before', '2020-02-29');
  assert.match((await ask()).verdict, /\(expired\)/);
  sign('-k', 'd.key', '-k', 'd-ed25519.key', '-c', 'release v1');
  assert.equal((await ask({ context: 'release v1' }, ['-c', 'release v1'])).kind, 'yes');
  await ask();
  await ask({ context: 'release v2' }, ['-c', 'release v2']);
  writeInput('SUMS', text('SUMS').replaceAll('"release v1"', '"release v2"'));
  assert.match((await ask({ context: 'release v1' }, ['-c', 'release v1'])).verdict, /\(inline_form\)/);
  sign('-k', 'd.key');
  const one = await compareWithTool(page, { ...given, [CLASSIC]: 'none' }, {}, ['-p', LATTICE, '-M', 'SUMS', 'a', 'b']);
  assert.equal(one.verdict, `VALID, by the key ${fingerprint(LATTICE)}: is it the right one?`);
  await compareWithTool(page, { ...given, [CLASSIC]: 'none', [LATTICE]: 'none', [THIRD]: 'public_key' }, {}, ['-p', THIRD, '-M', 'SUMS', 'a', 'b']);
  await page.close();
});

test('no change of a list with an inline signature is accepted', { skip: skipReason }, async () => {
  const page = await openPage();
  fndsa('sign', '-q', '-f', '-M', 'SUMS', '--inline', '-k', 'third.key', 'a', 'b');
  await verifyInPage(page, { [THIRD]: 'public_key', SUMS: 'list', a: 'file', b: 'file' });
  const kinds = await page.evaluate(`(async () => {
    const row = files.find((it) => it.role === 'list');
    const good = new Uint8Array(await row.file.arrayBuffer());
    const kinds = [];
    for (let i = 0; i < 300; i += 1) {
      const at = (i * 7919) % good.length;
      const changed = i % 3 === 2 ? Uint8Array.from([...good.slice(0, at), ...good.slice(at + 1)]) : good.slice();
      if (i % 3 < 2) changed[at] ^= 1 << (i % 7);
      row.file = new File([changed], 'SUMS');
      await verify();
      kinds.push(shown().kind);
    }
    row.file = new File([good], 'SUMS');
    await verify();
    kinds.push(shown().kind);
    return kinds;
  })()`);
  assert.deepEqual([...new Set(kinds.slice(0, -1))], ['no']);
  assert.equal(kinds.at(-1), 'yes');
  await page.close();
});
