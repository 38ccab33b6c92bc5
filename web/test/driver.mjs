// Opens the page in a browser, for the tests in this folder. PAGE names the file of the page, and
// FNDSA names the command-line tool.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { chromium, launch } from '../../tests/common/chromium.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
export const pageFile = process.env.PAGE ?? join(target, 'web/verify.html');
const tool = process.env.FNDSA ?? join(target, 'release/fndsa');

/** The reason to skip all tests, or false if they can run. */
export const skipReason = !chromium
  ? 'skip: the page, there is no browser (Debian: chromium)'
  : !existsSync(tool)
    ? `skip: the page, there is no ${tool} (set FNDSA to another path)`
    : false;
if (skipReason) console.log(skipReason);

/** A temporary directory for all files of the tests. */
export const workDirectory = mkdtempSync(join(tmpdir(), 'fndsa-page-'));

/** Runs the tool in a folder of `workDirectory`, and returns its output. Throws if the tool fails. */
export const fndsaIn = (folder, ...args) =>
  execFileSync(tool, args, { cwd: join(workDirectory, folder), stdio: ['ignore', 'pipe', 'inherit'] }).toString();
export const fndsa = (...args) => fndsaIn('.', ...args);

/** Verifies with the tool, and returns its JSON document. */
export const toolDocument = (...args) => toolDocumentIn('.', ...args);
export async function toolDocumentIn(folder, ...args) {
  const output = await promisify(execFile)(tool, ['--json', 'verify', ...args], { cwd: join(workDirectory, folder) }).catch((error) => error);
  return JSON.parse(output.stdout);
}

/** Writes a file into `workDirectory`. */
export const writeInput = (name, content) => writeFileSync(join(workDirectory, name), content);
/** Returns the fingerprint of a public key in a file. */
export const fingerprint = (name) => /sha256:[0-9a-f]{64}/.exec(fndsa('inspect', name))[0];

/**
 * Chooses files in the page and sets their roles and the options, verifies, and returns the
 * result that the page shows. `given` has the role of each file name.
 */
export async function verifyInPage(page, given, options = {}) {
  await page.resetForm();
  await page.choose(...Object.keys(given));
  await page.evaluate(`${JSON.stringify(Object.values(given))}.forEach((role, i) => { files[i].role = role; })`);
  await page.set(options);
  return page.ask();
}

/** A script that the tests run in the page. Its functions call the functions of web/page.js. */
const PAGE_SCRIPT = `
globalThis.bytesOf = (base64) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
/**
 * Returns the result that the page shows. The page does not print the reason code, so this function
 * appends it to the text of the verdict.
 */
globalThis.shown = () => ({
  kind: byId('verdict').classList[1],
  isProven: !byId('verdict').classList.contains('unproven'),
  verdict: byId('verdict').textContent.replace(/\\.$/, byId('verdict').dataset.reason ? ' (' + byId('verdict').dataset.reason + ').' : '.'),
  results: [...byId('results').children].map((it) => it.textContent),
  advice: byId('advice').textContent,
  files: files.map(({ file, role, item }) => ({ name: file.name, role, text: item.querySelector('.said')?.textContent })),
});
globalThis.waitForRoles = async () => { await Promise.all(files.map((row) => row.detected)); return shown(); };
globalThis.ask = async () => { await waitForRoles(); await verify(); return shown(); };
globalThis.resetForm = () => {
  files = [];
  byId('files').replaceChildren();
  for (const id of ['expected', 'context', 'prehash', 'algorithm']) byId(id).value = '';
  byId('context-hex').checked = false;
  byId('input').value = 'message';
  byId('namespace').value = 'file';
  byId('require').value = 'each';
  clearAnswer();
};
/** Verifies the given files with their roles and options, in a single call. */
globalThis.verifyFiles = async ({ given, options }) => {
  resetForm();
  const roles = given.map(({ role }) => role);
  await addFiles(given.map(({ name, base64 }) => new File([bytesOf(base64)], name)));
  files.forEach((row, i) => { row.role = roles[i]; });
  for (const [id, value] of Object.entries(options)) {
    if (typeof value === 'boolean') byId(id).checked = value;
    else byId(id).value = value;
  }
  await verify();
  return shown();
};
`;

let browser;
after(async () => {
  await browser?.close();
  rmSync(workDirectory, { recursive: true, maxRetries: 5 });
});

/** Returns the browser of these tests, and starts it at the first call. */
export function runningBrowser() {
  browser ??= launch(join(workDirectory, 'profile'));
  return browser;
}

/** Opens the page from its file, waits until its module has started, and returns the page. */
export async function openPage() {
  const page = await runningBrowser().open(pathToFileURL(pageFile).href);
  await page.evaluate(`worker.loaded.then(() => {})`);
  await page.evaluate(PAGE_SCRIPT);
  return {
    ...page,
    /** Chooses files in the page, as a user does. */
    async choose(...names) {
      const { root: document } = await page.call('DOM.getDocument');
      const { nodeId } = await page.call('DOM.querySelector', { nodeId: document.nodeId, selector: '#choose' });
      await page.call('DOM.setFileInputFiles', { nodeId, files: names.map((name) => join(workDirectory, name)) });
      return page.evaluate('waitForRoles()');
    },
    /** Verifies the chosen files. */
    ask: () => page.evaluate('ask()'),
    /** Removes the chosen files, and resets the options. */
    resetForm: () => page.evaluate('resetForm()'),
    /** Sets options by the ids of their elements, as a user who types them. */
    set: (options) =>
      page.evaluate(`for (const [id, value] of Object.entries(${JSON.stringify(options)})) {
        if (typeof value === 'boolean') byId(id).checked = value; else byId(id).value = value;
        byId(id).dispatchEvent(new Event('input'));
      }`),
  };
}
