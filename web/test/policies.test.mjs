// Tests the policy cases of tests/policies in the page, except cases with restricted keys and cases
// with a number of required keys. The page supports neither.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { skipReason, openPage, root } from './driver.mjs';

const read = (name) => JSON.parse(readFileSync(join(root, 'tests/policies', name), 'utf8'));
const { message, keys, signatures } = read('parts.json');
const isForPage = (it) => ['1', 'all'].includes(it.require) && it.keys.every(([, lines]) => lines.every((line) => line.startsWith('name: ')));

test('the page has the verdicts of the policy model', { skip: skipReason }, async () => {
  const cases = read('cases.json').filter(isForPage);
  const counts = {};
  const page = await openPage();
  for (const it of cases) {
    const trusted = it.keys.map(([name, lines]) => [...lines, keys[name].pem].join('\n')).join('');
    const blocks = it.signatures.map((name) => signatures[name]).join('') || 'no signature\n';
    const file = (name, role, text) => ({ name, role, base64: Buffer.from(text).toString('base64') });
    const given = [file('keys', 'public_key', trusted), file('message.sig', 'signature', blocks), file('message', 'file', message)];
    const expected = it.expect.map((name) => keys[name].fingerprint).join(' ');
    const options = { require: it.require === 'all' ? 'each' : 'one', expected, context: it.context };
    const { kind, verdict, results } = await page.evaluate(`verifyFiles(${JSON.stringify({ given, options })})`);
    const what = `${JSON.stringify(it)}: ${verdict}\n${results.join('\n')}`;
    assert.equal(kind === 'yes', it.verdict === 'yes', what);
    if (it.verdict !== 'yes') assert(verdict.includes(`(${it.reason})`), what);
    if (it.reason === 'too_few_signatures') assert(verdict.includes(` ${it.signers.length} of `), what);
    counts[it.reason ?? it.verdict] = (counts[it.reason ?? it.verdict] ?? 0) + 1;
  }
  assert(cases.length > 150, `${cases.length} cases`);
  assert.deepEqual(Object.keys(counts).sort(), ['algorithm_mismatch', 'foreign_file', 'not_recognised', 'signature_mismatch', 'too_few_signatures', 'unexpected_key', 'yes']);
  await page.close();
});
