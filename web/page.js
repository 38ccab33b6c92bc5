'use strict';
// The script of the page: the chosen files and their roles, the options, and the answer as a text.
// Before the first verification there is no answer. The answer is YES only if the module returned
// the number that means YES for each question; otherwise it is NO.

/** The number that the module returns for YES. No other value is a YES. */
const YES = 0x3c5aa5c3;

const ROLES = {
  file: 'file to verify',
  signature: 'signature',
  public_key: 'public key',
  list: 'list of checksums',
  none: 'ignore',
};
/** The ends of the names of signature files: of fndsa and SSH, of JOSE, and of CMS. */
const SIGNATURE_ENDINGS = ['.sig', '.jws', '.p7s'];
const SECRET = 'This is a private key. Keep it secret: you do not need it to verify a signature. The page recognised it, and does not use it.';
const COMPARE =
  'Compare the fingerprint with the fingerprint that the signer publishes in a place that you trust, or paste that fingerprint into the field above. A key from the place of the files proves nothing, because an attacker who can change the files can also change the key.';
const NOTHING = 'No file is verified yet.';

const at = (id) => document.getElementById(id);

/**
 * The chosen files: each with a number, the File, its role, the report of the module, and its
 * element.
 */
let files = [];
let nextId = 1;
let worker;
/** Whether a verification is running. */
let running = false;

/** Creates an element with a text. The text is never parsed as HTML. */
function element(kind, text, name) {
  const made = document.createElement(kind);
  made.textContent = text;
  if (name) made.className = name;
  return made;
}

/** Starts a worker, which loads its own instance of the module. */
function start() {
  const url = URL.createObjectURL(new Blob([at('worker').textContent], { type: 'text/javascript' }));
  const thread = new Worker(url);
  let current;
  thread.onmessage = ({ data }) => {
    if ('done' in data) current.resolve(data.done);
    else if ('failed' in data) current.reject(new Error(data.failed));
    else current.report(data);
  };
  thread.onerror = (event) => current?.reject(new Error(event.message ?? 'the worker did not start'));
  let turn = Promise.resolve();
  /** Sends a task after the earlier tasks, and calls `report` with each message of the worker. */
  const ask = (task, report = () => {}) => {
    const answer = turn.then(
      () =>
        new Promise((resolve, reject) => {
          current = { resolve, reject, report };
          thread.postMessage(task);
        }),
    );
    turn = answer.catch(() => {});
    return answer;
  };
  const bytes = Uint8Array.from(atob(at('module').textContent), (char) => char.charCodeAt(0));
  const loaded = ask({ task: 'load', bytes });
  loaded.finally(() => URL.revokeObjectURL(url)).catch(() => {});
  return { ask, loaded, end: () => thread.terminate() };
}

/**
 * Shows the answer as a text. The kinds are `neutral` and `busy` (no answer), `no`, `yes`, and `yes
 * unproven`: a valid signature without an expected fingerprint. The reason code is for programs
 * that read the page.
 */
function say(kind, text, reason = '') {
  const verdict = at('verdict');
  verdict.className = `verdict ${kind}`;
  verdict.textContent = text;
  verdict.dataset.reason = reason;
}

/** Removes the last answer, because it is not about the current files and options. */
function clear() {
  at('results').replaceChildren();
  at('advice').textContent = '';
  say('neutral', NOTHING);
}

const count = (number) => number.toLocaleString('en');

/** Returns a size with its unit. */
function size(bytes) {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return unit === 0 ? `${bytes} bytes` : `${value.toFixed(1)} ${units[unit]}`;
}

/** Returns the text that describes a file before its verification. */
function describe(said) {
  const parts = [];
  if (said.algorithm) parts.push(said.algorithm);
  if (said.key) parts.push(said.key.fingerprint);
  for (const { algorithm, key } of said.kind === 'public_key' ? (said.keys ?? []) : []) parts.push(`${algorithm} ${key.fingerprint}`);
  if (said.note) parts.push(said.note);
  if (said.message) parts.push(`${said.message} (${said.reason})`);
  return parts.join(', ');
}

/** Returns the role for a file name, if the content of the file has no recognisable kind. */
function roleOfName(name) {
  if (SIGNATURE_ENDINGS.some((ending) => name.endsWith(ending))) return 'signature';
  return name.endsWith('.pub') ? 'public_key' : 'file';
}

/** Returns the path of a file in the chosen folder, or its name. */
const nameOf = (file) => file.webkitRelativePath.split('/').slice(1).join('/') || file.name;

/** Adds files, and detects their roles. */
async function add(given) {
  for (const file of given) {
    const row = { id: nextId, file, role: 'none', said: {}, shown: document.createElement('li') };
    nextId += 1;
    files.push(row);
    const name = element('span', `${nameOf(file)} (${size(file.size)})`, 'name');
    const roles = document.createElement('select');
    roles.setAttribute('aria-label', `Role of ${file.name}`);
    for (const [value, text] of Object.entries(ROLES)) roles.append(new Option(text, value));
    roles.addEventListener('change', () => {
      row.role = roles.value;
      changed();
    });
    const remove = element('button', 'Remove');
    remove.type = 'button';
    remove.setAttribute('aria-label', `Remove ${file.name}`);
    remove.addEventListener('click', () => {
      files = files.filter((it) => it !== row);
      row.shown.remove();
      changed();
      at('choose').focus();
    });
    row.shown.append(name, roles, remove);
    at('files').append(row.shown);
    row.looked = look(row, roles);
  }
  changed();
  await Promise.all(files.map((row) => row.looked));
  changed();
}

/** Lets the module detect the kind of a file, and shows it. */
async function look(row, roles) {
  const said = await worker.ask({ task: 'look', file: row.file });
  row.said = said;
  if (said.kind === 'private_key') row.role = 'none';
  else row.role = said.kind ?? roleOfName(row.file.name);
  roles.value = row.role;
  const text = said.kind === 'private_key' ? SECRET : describe(said);
  if (text !== '') row.shown.append(element('span', text, `said help${said.kind === 'private_key' ? ' warning' : ''}`));
}

/** Removes the answer after a change of the files or options. */
function changed() {
  clear();
  at('verify').disabled = running || !files.some((row) => row.role !== 'none');
  at('several').hidden = of('public_key').reduce((sum, { said }) => sum + (said.keys?.length ?? 1), 0) < 2;
  at('ssh').hidden = !of('signature').some(({ said }) => said.format === 'ssh');
}

const of = (role) => files.filter((row) => row.role === role);

/**
 * Finds the signature of each file: the signature with the name of the file, or the only signature.
 */
function pair(targets, signatures) {
  const free = new Set(signatures);
  const pairs = [];
  const wrong = [];
  for (const target of targets) {
    const named = signatures.find((it) => SIGNATURE_ENDINGS.some((ending) => it.file.name === `${target.file.name}${ending}`));
    const only = targets.length === 1 && signatures.length === 1 ? signatures[0] : undefined;
    const signature = named ?? only;
    if (signature) {
      free.delete(signature);
      pairs.push({ target, signature });
    } else {
      const message = `there is no signature for this file: choose the signature, usually ${target.file.name}.sig`;
      wrong.push({ row: target, said: { status: 'error', reason: 'not_found', message } });
    }
  }
  for (const row of free) {
    const message = 'there is no file for this signature';
    wrong.push({ row, said: { status: 'error', reason: 'not_found', message, hint: 'choose the file that the signature belongs to, or remove the signature' } });
  }
  return { pairs, wrong };
}

/**
 * Returns the task for the worker, the number of YES that it must return, and the errors that are
 * already known.
 */
function question() {
  const [keys, signatures, lists, targets] = ['public_key', 'signature', 'list', 'file'].map(of);
  const text = (id) => at(id).value;
  const options = {
    task: 'verify',
    keys: keys.map(({ id, file }) => ({ id, file })),
    expected: text('expected').split(/[\s,;]+/).filter((it) => it !== ''),
    isEach: text('require') === 'each',
    context: text('context'),
    isHex: at('context-hex').checked,
    prehash: text('prehash'),
    input: text('input'),
    namespace: at('ssh').hidden ? '' : text('namespace'),
    algorithm: text('algorithm'),
  };
  if (lists.length > 1) {
    const said = { status: 'error', reason: 'usage', message: 'there are several lists', hint: 'verify one list at a time: remove the other lists' };
    return { wrong: lists.map((row) => ({ row, said })), due: 0 };
  }
  const [list] = lists;
  const { pairs, wrong: unpaired } = pair(list ? lists : targets, signatures);
  // A list without a signature file may have an inline signature, which the module detects.
  const wrong = unpaired.filter(({ row }) => row !== list);
  const asked = pairs.map(({ target, signature }) => ({ id: target.id, file: target.file, signature: signature.file }));
  if (!list) return { task: { ...options, pairs: asked }, due: asked.length, wrong, rows: targets };
  const listed = targets.map(({ id, file }) => ({ id, file, name: nameOf(file) }));
  const { signature } = asked[0] ?? {};
  const given = { id: list.id, file: list.file, signature, files: listed };
  return { task: { ...options, pairs: [], list: given }, due: 1 + listed.length, wrong, rows: [...lists, ...targets] };
}

/** Creates a list of keys that shows which keys have signed. */
function signers(keys) {
  const list = element('ul', '', 'signers');
  for (const { algorithm, fingerprint, signed } of keys) {
    const item = element('li', '', signed ? 'ok' : 'failed');
    item.append(element('span', signed ? 'signed' : 'NOT signed', 'word'), document.createTextNode(` by ${algorithm} ${fingerprint}`));
    list.append(item);
  }
  return list;
}

/** Shows the result of a file. */
function show(name, said, isYes) {
  const kind = isYes ? 'ok' : (said.status ?? 'error');
  const word = { ok: 'OK', failed: 'NO', error: 'ERROR' }[kind === 'ok' && !isYes ? 'error' : kind];
  const item = element('li', '', kind);
  item.append(element('span', `${name}: `, 'name'), element('span', word, 'word'));
  const facts = [];
  if (isYes) {
    if (said.listed) facts.push(`as ${said.listed} in the list`);
    if (said.algorithm && !said.keys) facts.push(said.algorithm);
    if (said.key && !said.keys) facts.push(said.key.fingerprint);
    if (said.files) facts.push(`${count(said.files)} files in the list`);
    if (said.best_before) facts.push(`best before ${said.best_before}`);
    if (said.bytes !== undefined) facts.push(`${count(said.bytes)} bytes`);
    if (said.format) facts.push(said.format);
    if (said.note) facts.push(said.note);
    item.append(document.createTextNode(` (${facts.join(', ')})`));
  } else {
    item.append(document.createTextNode(` ${said.message}`), element('span', ` (${said.reason})`, 'help'));
    if (said.hint) item.append(element('p', `Hint: ${said.hint}`, 'help'));
  }
  if (said.keys) item.append(signers(said.keys));
  at('results').append(item);
}

/** Verifies the chosen files. */
async function verify() {
  clear();
  const { task, due, wrong, rows = [] } = question();
  const nameBy = new Map(files.map((row) => [row.id, nameOf(row.file)]));
  let yes = 0;
  // The answer shows the first rejection or error.
  let first;
  const refuse = (name, said) => {
    first ??= { ...said, message: `${name}: ${said.summary ?? said.message}` };
    show(name, said, false);
  };
  for (const { row, said } of wrong) refuse(nameOf(row.file), said);
  if (due === 0 && wrong.length === 0) {
    first = { reason: 'no_files', message: 'there is no file to verify', hint: 'choose the file that the signature belongs to' };
  }
  if (task && due > 0) {
    running = true;
    const total = rows.reduce((sum, row) => sum + row.file.size, 0);
    busy(total);
    const fingerprints = new Set();
    let required = 1;
    try {
      await worker.ask(task, ({ progress, about, verdict, said }) => {
        if (progress !== undefined) return advance(progress, total);
        const name = nameBy.get(about) ?? 'Settings';
        if (about === 'missing') {
          if (verdict !== 1) refuse('List', said);
          else if (said.missing > 0) reportMissing(said);
        } else if (verdict === YES) {
          yes += 1;
          const signers = said.keys?.filter((key) => key.signed) ?? (said.key ? [said.key] : []);
          for (const { fingerprint } of signers) fingerprints.add(fingerprint);
          required = said.required ?? required;
          show(name, said, true);
        } else if (verdict !== 1) {
          refuse(name, said);
        }
        return undefined;
      });
    } catch (error) {
      first = { reason: 'internal', message: `this page failed: ${error.message}` };
    }
    idle();
    if (yes === due && !first) {
      const keys = [...fingerprints].join(' and ');
      const several = fingerprints.size > 1;
      if (task.expected.length > 0) {
        const what = required === 1 ? `the signature${several ? 's are' : ' is'}` : required === 2 ? 'both signatures are' : `all ${required} signatures are`;
        say('yes', `YES: ${what} valid and by the expected key${several ? 's' : ''} ${keys}.`);
      } else {
        const by = !several ? 'by the key' : required === 2 ? 'by both keys' : 'by the keys';
        say('yes unproven', `VALID, ${by} ${keys}: ${several ? 'are they the right ones' : 'is it the right one'}?`);
        at('advice').textContent = COMPARE;
      }
      return;
    }
  }
  const answer = first ?? { reason: 'internal', message: 'the page did not get a result for every file, which is a bug of the page' };
  say('no', `NO: ${answer.message}.`, answer.reason);
  if (answer.hint && at('results').childElementCount === 0) at('advice').textContent = answer.hint;
}

/** Reports the listed files that the user did not choose. They do not change the answer. */
function reportMissing({ missing, names }) {
  const more = missing > names.length ? ` and ${count(missing - names.length)} more` : '';
  at('results').append(element('li', `Not checked, because you did not choose these listed files: ${names.join(', ')}${more}`));
}

/** Shows that a verification is running. */
function busy(total) {
  say('busy', 'NO answer yet: the page is reading the files.');
  at('running').hidden = false;
  at('cancel').hidden = false;
  at('verify').disabled = true;
  at('choose').disabled = true;
  advance(0, total);
}

function advance(bytes, total) {
  at('progress').value = total === 0 ? 1000 : Math.floor((1000 * bytes) / total);
  at('progress-label').textContent = `Reading: ${size(bytes)} of ${size(total)}`;
}

/** Shows that no verification is running. */
function idle() {
  running = false;
  at('running').hidden = true;
  at('cancel').hidden = true;
  at('choose').disabled = false;
  at('verify').disabled = !files.some((row) => row.role !== 'none');
}

/** Starts the worker, and shows the algorithms and pre-hashes of its module. */
async function begin() {
  try {
    worker = start();
    const { algorithms, prehashes } = await worker.loaded;
    for (const [id, names] of [['algorithm', algorithms], ['prehash', prehashes]]) {
      if (at(id).options.length === 1) for (const name of names) at(id).append(new Option(name, name));
    }
    document.documentElement.dataset.ready = 'true';
  } catch (error) {
    say('no', `NO: this browser cannot run the page: ${error.message}`);
    at('choose').disabled = true;
  }
}

at('choose').addEventListener('change', () => {
  add([...at('choose').files]);
  // Without this line, choosing the same file again would have no effect.
  at('choose').value = '';
});
for (const id of ['expected', 'require', 'context', 'context-hex', 'prehash', 'input', 'namespace', 'algorithm']) at(id).addEventListener('input', changed);
at('verify').addEventListener('click', verify);
at('cancel').addEventListener('click', () => {
  worker.end();
  idle();
  begin();
  clear();
  say('neutral', 'Stopped: no file is verified.');
});
at('reset').addEventListener('click', () => {
  worker.end();
  idle();
  begin();
  files = [];
  at('files').replaceChildren();
  for (const id of ['expected', 'context', 'prehash', 'algorithm']) at(id).value = '';
  at('context-hex').checked = false;
  at('input').value = 'message';
  at('namespace').value = 'file';
  at('require').value = 'each';
  changed();
  at('choose').focus();
});
for (const name of ['dragenter', 'dragover']) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    at('drop').classList.add('over');
  });
}
for (const name of ['dragleave', 'drop']) document.addEventListener(name, () => at('drop').classList.remove('over'));
document.addEventListener('drop', (event) => {
  event.preventDefault();
  if (!running) add([...event.dataTransfer.files]);
});
begin();
