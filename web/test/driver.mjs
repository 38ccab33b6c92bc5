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
export const built = process.env.PAGE ?? join(target, 'web/verify.html');
const tool = process.env.FNDSA ?? join(target, 'release/fndsa');

/** The reason for skipping the tests, or false. */
export const none = !chromium
  ? 'skip: the page: there is no browser (Debian: chromium)'
  : !existsSync(tool)
    ? `skip: the page: there is no ${tool} (FNDSA names another)`
    : false;
if (none) console.log(none);

/** A directory for files, which is removed after the test. */
export const home = mkdtempSync(join(tmpdir(), 'fndsa-page-'));

/** Runs the tool in a folder of `home`. The tool must succeed. */
export const fndsaIn = (folder, ...args) =>
  execFileSync(tool, args, { cwd: join(home, folder), stdio: ['ignore', 'pipe', 'inherit'] }).toString();
export const fndsa = (...args) => fndsaIn('.', ...args);

/** Verifies with the tool, and returns its JSON document. */
export const verdicts = (...args) => verdictsIn('.', ...args);
export async function verdictsIn(folder, ...args) {
  const output = await promisify(execFile)(tool, ['--json', 'verify', ...args], { cwd: join(home, folder) }).catch((error) => error);
  return JSON.parse(output.stdout);
}

/** Writes a file. */
export const put = (name, content) => writeFileSync(join(home, name), content);
/** Returns the fingerprint of a public key in a file. */
export const fingerprint = (name) => /sha256:[0-9a-f]{64}/.exec(fndsa('inspect', name))[0];

/**
 * Passes files with their roles and options to the page, verifies, and returns the shown result.
 */
export async function asked(page, given, options = {}) {
  await page.forget();
  await page.choose(...Object.keys(given));
  await page.evaluate(`${JSON.stringify(Object.values(given))}.forEach((role, i) => { files[i].role = role; })`);
  await page.set(options);
  return page.ask();
}

/**
 * The script that the tests add to the page. It calls the functions of the page, also with files
 * that it creates, and returns the shown result.
 */
const INSIDE = `
globalThis.bytesOf = (base64) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
/**
 * What the page shows. A reader sees no reason code in the verdict; for the tests it follows the
 * text.
 */
globalThis.shown = () => ({
  kind: at('verdict').classList[1],
  isProven: !at('verdict').classList.contains('unproven'),
  verdict: at('verdict').textContent.replace(/\\.$/, at('verdict').dataset.reason ? ' (' + at('verdict').dataset.reason + ').' : '.'),
  results: [...at('results').children].map((it) => it.textContent),
  advice: at('advice').textContent,
  files: files.map(({ file, role, shown }) => ({ name: file.name, role, text: shown.querySelector('.said')?.textContent })),
});
globalThis.known = async () => { await Promise.all(files.map((row) => row.looked)); return shown(); };
globalThis.ask = async () => { await known(); await verify(); return shown(); };
globalThis.forget = () => {
  files = [];
  at('files').replaceChildren();
  for (const id of ['expected', 'context', 'prehash', 'algorithm']) at(id).value = '';
  at('context-hex').checked = false;
  at('input').value = 'message';
  at('require').value = 'each';
  clear();
};
/** Verifies files of given roles with given options, all of them in one go. */
globalThis.tell = async ({ given, options }) => {
  forget();
  const roles = given.map(({ role }) => role);
  await add(given.map(({ name, base64 }) => new File([bytesOf(base64)], name)));
  files.forEach((row, i) => { row.role = roles[i]; });
  for (const [id, value] of Object.entries(options)) {
    if (typeof value === 'boolean') at(id).checked = value;
    else at(id).value = value;
  }
  await verify();
  return shown();
};
`;

let browser;
after(async () => {
  await browser?.close();
  rmSync(home, { recursive: true, maxRetries: 5 });
});

/** Returns the browser of these tests, and starts it at the first call. */
export function started() {
  browser ??= launch(join(home, 'profile'));
  return browser;
}

/** Opens the page from its file, waits until its module has started, and returns the page. */
export async function opened() {
  const page = await started().open(pathToFileURL(built).href);
  await page.evaluate(`worker.loaded.then(() => {})`);
  await page.evaluate(INSIDE);
  return {
    ...page,
    /** Chooses files in the page, as a user does. */
    async choose(...names) {
      const { root: document } = await page.call('DOM.getDocument');
      const { nodeId } = await page.call('DOM.querySelector', { nodeId: document.nodeId, selector: '#choose' });
      await page.call('DOM.setFileInputFiles', { nodeId, files: names.map((name) => join(home, name)) });
      return page.evaluate('known()');
    },
    /** Verifies the chosen files. */
    ask: () => page.evaluate('ask()'),
    /** Removes the chosen files, and resets the options. */
    forget: () => page.evaluate('forget()'),
    /** Sets options by the ids of their elements, as a user who types them. */
    set: (options) =>
      page.evaluate(`for (const [id, value] of Object.entries(${JSON.stringify(options)})) {
        if (typeof value === 'boolean') at(id).checked = value; else at(id).value = value;
        at(id).dispatchEvent(new Event('input'));
      }`),
  };
}
