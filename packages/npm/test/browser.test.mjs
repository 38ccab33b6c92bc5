// Tests the npm package in a page of a real browser, Chromium without a window. If there is no
// browser, the tests are skipped with a message.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium, launch } from '../../../tests/common/chromium.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
const dir = process.env.FNDSA_VERIFY ?? join(target, 'npm/fndsa-verify');
const tool = process.env.FNDSA ?? join(target, 'release/fndsa');

const skipReason = chromium ? false : 'skip: the npm package in a browser, there is no browser (Debian: chromium)';
if (skipReason) console.log(skipReason);
const skipWithoutTool = skipReason || (existsSync(tool) ? false : `skip: the page of the README, there is no ${tool} (set FNDSA to another path)`);
if (skipWithoutTool && !skipReason) console.log(skipWithoutTool);

const home = mkdtempSync(join(tmpdir(), 'fndsa-page-'));
after(() => rmSync(home, { recursive: true }));

const TYPES = { html: 'text/html', js: 'text/javascript', wasm: 'application/wasm', json: 'application/json' };

/** A script that sends the text of the page to the server when the text has changed. */
const REPORT = `
const first = document.body.textContent;
new MutationObserver(() => {
  const text = document.body.textContent;
  if (text !== first) fetch('/report', { method: 'POST', body: text });
}).observe(document.body, { childList: true, characterData: true, subtree: true });
`;

/**
 * Opens the page in `files`, and returns its final text. A local server sends `files`, and the
 * package at /fndsa-verify/.
 */
async function finalText(files) {
  let resolveReport;
  const report = new Promise((done) => (resolveReport = done));
  const server = createServer(async (request, response) => {
    const path = request.url.slice(1);
    if (path === 'report') {
      const parts = [];
      for await (const part of request) parts.push(part);
      resolveReport(Buffer.concat(parts).toString());
    }
    const inPackage = /^fndsa-verify\/([\w.-]+)$/.exec(path);
    const known = { report: '', 'report.js': REPORT, ...files };
    const body = known[path] ?? (inPackage && existsSync(join(dir, inPackage[1])) ? readFileSync(join(dir, inPackage[1])) : undefined);
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': TYPES[path.split('.').pop()] ?? 'application/octet-stream',
      'content-security-policy': "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
    });
    response.end(body ?? 'not found');
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${server.address().port}/page.html`;
  const browser = launch(join(home, 'profile'));
  const ended = browser.ended.then(() => 'the browser ended before the page had a result');
  try {
    await browser.open(url);
    return await Promise.race([report, ended]);
  } finally {
    await browser.close();
    server.closeAllConnections?.();
    server.close();
  }
}

test('all vectors give the expected verdicts in a page, with the chosen modules and with other modules', { skip: skipReason }, async () => {
  const vectors = [];
  for (const degree of [512, 1024]) {
    const path = join(root, `tests/kat/fn_dsa_${degree}_verify_test.json`);
    for (const { publicKey, tests } of JSON.parse(readFileSync(path)).testGroups) {
      for (const { msg, ctx, sig, result, mu, preHash } of tests) {
        if (mu === undefined && preHash === undefined) vectors.push({ publicKey, msg, ctx, sig, valid: result === 'valid' });
      }
    }
  }
  const falcon = vectors.length;
  for (const set of [44, 65, 87]) {
    for (const { publicKey, tests } of JSON.parse(readFileSync(join(root, `tests/kat/ml-dsa/wycheproof-${set}-verify.json`))).groups) {
      for (const { msg, ctx = '', sig, result } of tests) vectors.push({ publicKey, msg, ctx, sig, scheme: 'ml-dsa', valid: result === 'valid' });
    }
  }
  assert(vectors.length > falcon + 100, `${vectors.length}`);
  for (const { publicKey, msg, ctx, sig, prehash } of JSON.parse(readFileSync(join(root, 'tests/kat/ed25519.json'))).tests) {
    if (prehash !== 'none') continue;
    vectors.push({ publicKey, msg, ctx, sig, scheme: 'ed25519', valid: true }, { publicKey, msg: `${msg}00`, ctx, sig, scheme: 'ed25519', valid: false });
  }
  const message = Buffer.from(vectors.find((it) => it.valid && it.msg !== '').msg, 'hex');
  const text = await finalText({
    'page.html': readFileSync(new URL('page.html', import.meta.url)),
    'page.js': readFileSync(new URL('page.js', import.meta.url)),
    'vectors.json': JSON.stringify(vectors),
    message,
  });
  const allExpected = `${vectors.length} of ${vectors.length}`;
  assert.equal(text, `done: ${allExpected}, verify-simd.wasm verify-ml-dsa-simd.wasm verify-ed25519.wasm, ${allExpected}, true, true, false, true, the server returned status 404; serve the module from the folder of index.js`);
});

test('the page of the README works', { skip: skipWithoutTool }, async () => {
  const fndsa = (...args) => execFileSync(tool, args, { cwd: home });
  fndsa('keygen', '-q', 'release');
  writeFileSync(join(home, 'app.tar.gz'), Buffer.alloc(3_000_000, 'a release '));
  fndsa('sign', '-q', '-k', 'release.key', 'app.tar.gz');
  const readme = readFileSync(join(dir, 'README.md'), 'utf8');
  const script = /<!-- test: page -->\n```js\n([^]*?)```/.exec(readme)[1];
  const key = readFileSync(join(home, 'release.pub'), 'utf8').split('\n').slice(1, -1).join('\n');
  const code = script.replace(/-----BEGIN[^`]*-----END FNDSA PUBLIC KEY-----/, key);
  assert.notEqual(code, script);
  const html = '<!doctype html><body><script type="module" src="/report.js"></script><script type="module" src="/main.js"></script>';
  const files = { 'page.html': html, 'main.js': code, 'app.tar.gz.sig': readFileSync(join(home, 'app.tar.gz.sig')) };
  assert.equal(await finalText({ ...files, 'app.tar.gz': readFileSync(join(home, 'app.tar.gz')) }), 'good');
  assert.equal(await finalText({ ...files, 'app.tar.gz': 'another release' }), 'NO: not signed by this key, or changed');
});
