'use strict';
// The script of the page. It shows the chosen files, their roles and the answer, and sends the
// files to the worker, which calls the WebAssembly module. The answer is YES only if the module
// returned the number `YES` for each file that must be verified; otherwise it is NO.

/** The number that the module returns for YES. No other value is a YES. */
const YES = 0x3c5aa5c3;

const ROLES = {
  file: 'file to verify',
  signature: 'signature',
  public_key: 'public key',
  list: 'list of checksums',
  none: 'ignore',
};
/** The suffixes of signature files: of fndsa and SSH (`.sig`), of JOSE, and of CMS. */
const SIGNATURE_ENDINGS = ['.sig', '.jws', '.p7s'];
const SECRET = 'This is a private key. Keep it secret: you do not need it to verify a signature. The page recognised it, and does not use it.';
const COMPARE =
  'Compare the fingerprint with the fingerprint that the signer publishes in a place that you trust, or paste that fingerprint into the field above. A key from the place of the files proves nothing, because an attacker who can change the files can also change the key.';
const NOTHING = 'No file is verified yet.';

const byId = (id) => document.getElementById(id);

/**
 * A row for each chosen file: a number (`id`), the File, its role, the report of the module about the
 * file, and the list item that shows the file.
 */
let files = [];
let nextId = 1;
let worker;
/** Whether a verification is running. */
let running = false;

/** Creates an HTML element with a text. The browser does not parse the text as HTML. */
function element(tag, text, className) {
  const node = document.createElement(tag);
  node.textContent = text;
  if (className) node.className = className;
  return node;
}

/** Starts a worker, which loads its own instance of the module. */
function startWorker() {
  const url = URL.createObjectURL(new Blob([byId('worker').textContent], { type: 'text/javascript' }));
  const thread = new Worker(url);
  let current;
  thread.onmessage = ({ data }) => {
    if ('done' in data) current.resolve(data.done);
    else if ('failed' in data) current.reject(new Error(data.failed));
    else current.onMessage(data);
  };
  thread.onerror = (event) => current?.reject(new Error(event.message ?? 'the worker did not start'));
  let turn = Promise.resolve();
  /** Sends a task after the earlier tasks, and calls `onMessage` with each message of the worker. */
  const ask = (task, onMessage = () => {}) => {
    const answer = turn.then(
      () =>
        new Promise((resolve, reject) => {
          current = { resolve, reject, onMessage };
          thread.postMessage(task);
        }),
    );
    turn = answer.catch(() => {});
    return answer;
  };
  const bytes = Uint8Array.from(atob(byId('module').textContent), (char) => char.charCodeAt(0));
  const loaded = ask({ task: 'load', bytes });
  loaded.finally(() => URL.revokeObjectURL(url)).catch(() => {});
  return { ask, loaded, end: () => thread.terminate() };
}

/**
 * Shows the answer as a text. The kinds are `neutral` and `busy` (no answer), `no`, `yes`, and `yes
 * unproven`: a valid signature without an expected fingerprint. The reason code is for programs
 * that read the page.
 */
function showAnswer(kind, text, reason = '') {
  const verdict = byId('verdict');
  verdict.className = `verdict ${kind}`;
  verdict.textContent = text;
  verdict.dataset.reason = reason;
}

/** Removes the last answer. */
function clearAnswer() {
  byId('results').replaceChildren();
  byId('advice').textContent = '';
  showAnswer('neutral', NOTHING);
}

const formatCount = (number) => number.toLocaleString('en');

/** Returns a size with its unit. */
function formatSize(bytes) {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return unit === 0 ? `${bytes} bytes` : `${value.toFixed(1)} ${units[unit]}`;
}

/** Returns the text that describes a file before its verification. */
function describeFile(report) {
  const parts = [];
  if (report.algorithm) parts.push(report.algorithm);
  if (report.key) parts.push(report.key.fingerprint);
  for (const { algorithm, key } of report.kind === 'public_key' ? (report.keys ?? []) : []) parts.push(`${algorithm} ${key.fingerprint}`);
  if (report.note) parts.push(report.note);
  if (report.message) parts.push(`${report.message} (${report.reason})`);
  return parts.join(', ');
}

/** Returns the role for a file whose content the module did not recognise, from the file name. */
function roleOfName(name) {
  if (SIGNATURE_ENDINGS.some((ending) => name.endsWith(ending))) return 'signature';
  return name.endsWith('.pub') ? 'public_key' : 'file';
}

/** Returns the path of a file in the chosen folder, or its name. */
const nameOf = (file) => file.webkitRelativePath.split('/').slice(1).join('/') || file.name;

/** Adds files, and detects their roles. */
async function addFiles(given) {
  for (const file of given) {
    const row = { id: nextId, file, role: 'none', report: {}, item: document.createElement('li') };
    nextId += 1;
    files.push(row);
    const name = element('span', `${nameOf(file)} (${formatSize(file.size)})`, 'name');
    const roles = document.createElement('select');
    roles.setAttribute('aria-label', `Role of ${file.name}`);
    for (const [value, text] of Object.entries(ROLES)) roles.append(new Option(text, value));
    roles.addEventListener('change', () => {
      row.role = roles.value;
      inputsChanged();
    });
    const remove = element('button', 'Remove');
    remove.type = 'button';
    remove.setAttribute('aria-label', `Remove ${file.name}`);
    remove.addEventListener('click', () => {
      files = files.filter((it) => it !== row);
      row.item.remove();
      inputsChanged();
      byId('choose').focus();
    });
    row.item.append(name, roles, remove);
    byId('files').append(row.item);
    row.detected = detectKind(row, roles);
  }
  inputsChanged();
  await Promise.all(files.map((row) => row.detected));
  inputsChanged();
}

/** Asks the module for the kind of a file, sets the role, and shows the module's description. */
async function detectKind(row, roles) {
  const report = await worker.ask({ task: 'detect', file: row.file });
  row.report = report;
  if (report.kind === 'private_key') row.role = 'none';
  else row.role = report.kind ?? roleOfName(row.file.name);
  roles.value = row.role;
  const text = report.kind === 'private_key' ? SECRET : describeFile(report);
  if (text !== '') row.item.append(element('span', text, `said help${report.kind === 'private_key' ? ' warning' : ''}`));
}

/** Removes the answer after a change of the files or options, and shows the options that apply. */
function inputsChanged() {
  clearAnswer();
  byId('verify').disabled = running || !files.some((row) => row.role !== 'none');
  byId('several').hidden = filesWithRole('public_key').reduce((sum, { report }) => sum + (report.keys?.length ?? 1), 0) < 2;
  byId('ssh').hidden = !filesWithRole('signature').some(({ report }) => report.format === 'ssh');
}

const filesWithRole = (role) => files.filter((row) => row.role === role);

/**
 * Finds the signature of each file in `targets`: the signature with the name of the file and a
 * suffix. If there is only one file and one signature, their names can differ.
 */
function pairSignatures(targets, signatures) {
  const free = new Set(signatures);
  const pairs = [];
  const errors = [];
  for (const target of targets) {
    const named = signatures.find((it) => SIGNATURE_ENDINGS.some((ending) => it.file.name === `${target.file.name}${ending}`));
    const only = targets.length === 1 && signatures.length === 1 ? signatures[0] : undefined;
    const signature = named ?? only;
    if (signature) {
      free.delete(signature);
      pairs.push({ target, signature });
    } else {
      const message = `there is no signature for this file: choose the signature, usually ${target.file.name}.sig`;
      errors.push({ row: target, report: { status: 'error', reason: 'not_found', message } });
    }
  }
  for (const row of free) {
    const message = 'there is no file for this signature';
    errors.push({ row, report: { status: 'error', reason: 'not_found', message, hint: 'choose the file that the signature belongs to, or remove the signature' } });
  }
  return { pairs, errors };
}

/**
 * Returns the task for the worker, the number of verdicts YES that are necessary for the answer YES,
 * and the errors that the page finds without the module, such as a missing signature.
 */
function verificationTask() {
  const [keys, signatures, lists, targets] = ['public_key', 'signature', 'list', 'file'].map(filesWithRole);
  const text = (id) => byId(id).value;
  const options = {
    task: 'verify',
    keys: keys.map(({ id, file }) => ({ id, file })),
    expected: text('expected').split(/[\s,;]+/).filter((it) => it !== ''),
    isEach: text('require') === 'each',
    context: text('context'),
    isHex: byId('context-hex').checked,
    prehash: text('prehash'),
    input: text('input'),
    namespace: byId('ssh').hidden ? '' : text('namespace'),
    algorithm: text('algorithm'),
  };
  if (lists.length > 1) {
    const report = { status: 'error', reason: 'usage', message: 'there are several lists', hint: 'verify one list at a time: remove the other lists' };
    return { errors: lists.map((row) => ({ row, report })), expectedYes: 0 };
  }
  const [list] = lists;
  const { pairs, errors: unpaired } = pairSignatures(list ? lists : targets, signatures);
  // A list without a signature file may have an inline signature, which the module detects.
  const errors = unpaired.filter(({ row }) => row !== list);
  const pairTasks = pairs.map(({ target, signature }) => ({ id: target.id, file: target.file, signature: signature.file }));
  if (!list) return { task: { ...options, pairs: pairTasks }, expectedYes: pairTasks.length, errors, rows: targets };
  const listed = targets.map(({ id, file }) => ({ id, file, name: nameOf(file) }));
  const { signature } = pairTasks[0] ?? {};
  const listTask = { id: list.id, file: list.file, signature, files: listed };
  return { task: { ...options, pairs: [], list: listTask }, expectedYes: 1 + listed.length, errors, rows: [...lists, ...targets] };
}

/** Creates a list of keys that shows which keys have signed. */
function signerList(keys) {
  const list = element('ul', '', 'signers');
  for (const { algorithm, fingerprint, signed } of keys) {
    const item = element('li', '', signed ? 'ok' : 'failed');
    item.append(element('span', signed ? 'signed' : 'NOT signed', 'word'), document.createTextNode(` by ${algorithm} ${fingerprint}`));
    list.append(item);
  }
  return list;
}

/** Shows the result of a file. */
function showResult(name, report, isYes) {
  const kind = isYes ? 'ok' : (report.status ?? 'error');
  const word = { ok: 'OK', failed: 'NO', error: 'ERROR' }[kind === 'ok' && !isYes ? 'error' : kind];
  const item = element('li', '', kind);
  item.append(element('span', `${name}: `, 'name'), element('span', word, 'word'));
  const facts = [];
  if (isYes) {
    if (report.listed) facts.push(`as ${report.listed} in the list`);
    if (report.algorithm && !report.keys) facts.push(report.algorithm);
    if (report.key && !report.keys) facts.push(report.key.fingerprint);
    if (report.files) facts.push(`${formatCount(report.files)} files in the list`);
    if (report.best_before) facts.push(`best before ${report.best_before}`);
    if (report.bytes !== undefined) facts.push(`${formatCount(report.bytes)} bytes`);
    if (report.format) facts.push(report.format);
    if (report.note) facts.push(report.note);
    item.append(document.createTextNode(` (${facts.join(', ')})`));
  } else {
    item.append(document.createTextNode(` ${report.message}`), element('span', ` (${report.reason})`, 'help'));
    if (report.hint) item.append(element('p', `Hint: ${report.hint}`, 'help'));
  }
  if (report.keys) item.append(signerList(report.keys));
  byId('results').append(item);
}

/** Verifies the chosen files. */
async function verify() {
  clearAnswer();
  const { task, expectedYes, errors, rows = [] } = verificationTask();
  const namesById = new Map(files.map((row) => [row.id, nameOf(row.file)]));
  let yesCount = 0;
  // The answer shows the first rejection or error.
  let first;
  const showRejection = (name, report) => {
    first ??= { ...report, message: `${name}: ${report.summary ?? report.message}` };
    showResult(name, report, false);
  };
  for (const { row, report } of errors) showRejection(nameOf(row.file), report);
  if (expectedYes === 0 && errors.length === 0) {
    first = { reason: 'no_files', message: 'there is no file to verify', hint: 'choose the file that the signature belongs to' };
  }
  if (task && expectedYes > 0) {
    running = true;
    const total = rows.reduce((sum, row) => sum + row.file.size, 0);
    showBusy(total);
    const fingerprints = new Set();
    let required = 1;
    try {
      await worker.ask(task, ({ progress, about, verdict, report }) => {
        if (progress !== undefined) return showProgress(progress, total);
        const name = namesById.get(about) ?? 'Settings';
        if (about === 'missing') {
          if (verdict !== 1) showRejection('List', report);
          else if (report.missing > 0) reportMissing(report);
        } else if (verdict === YES) {
          yesCount += 1;
          const signers = report.keys?.filter((key) => key.signed) ?? (report.key ? [report.key] : []);
          for (const { fingerprint } of signers) fingerprints.add(fingerprint);
          required = report.required ?? required;
          showResult(name, report, true);
        } else if (verdict !== 1) {
          showRejection(name, report);
        }
        return undefined;
      });
    } catch (error) {
      first = { reason: 'internal', message: `this page failed: ${error.message}` };
    }
    showIdle();
    if (yesCount === expectedYes && !first) {
      const keys = [...fingerprints].join(' and ');
      const several = fingerprints.size > 1;
      if (task.expected.length > 0) {
        const what = required === 1 ? `the signature${several ? 's are' : ' is'}` : required === 2 ? 'both signatures are' : `all ${required} signatures are`;
        showAnswer('yes', `YES: ${what} valid and by the expected key${several ? 's' : ''} ${keys}.`);
      } else {
        const by = !several ? 'by the key' : required === 2 ? 'by both keys' : 'by the keys';
        showAnswer('yes unproven', `VALID, ${by} ${keys}: ${several ? 'are they the right ones' : 'is it the right one'}?`);
        byId('advice').textContent = COMPARE;
      }
      return;
    }
  }
  const answer = first ?? { reason: 'internal', message: 'the page did not get a result for every file, which is a bug of the page' };
  showAnswer('no', `NO: ${answer.message}.`, answer.reason);
  if (answer.hint && byId('results').childElementCount === 0) byId('advice').textContent = answer.hint;
}

/** Reports the listed files that the user did not choose. They do not change the answer. */
function reportMissing({ missing, names }) {
  const more = missing > names.length ? ` and ${formatCount(missing - names.length)} more` : '';
  byId('results').append(element('li', `Not checked, because you did not choose these listed files: ${names.join(', ')}${more}`));
}

/** Shows that a verification is running. */
function showBusy(total) {
  showAnswer('busy', 'NO answer yet: the page is reading the files.');
  byId('running').hidden = false;
  byId('cancel').hidden = false;
  byId('verify').disabled = true;
  byId('choose').disabled = true;
  showProgress(0, total);
}

function showProgress(bytes, total) {
  byId('progress').value = total === 0 ? 1000 : Math.floor((1000 * bytes) / total);
  byId('progress-label').textContent = `Reading: ${formatSize(bytes)} of ${formatSize(total)}`;
}

/** Shows that no verification is running. */
function showIdle() {
  running = false;
  byId('running').hidden = true;
  byId('cancel').hidden = true;
  byId('choose').disabled = false;
  byId('verify').disabled = !files.some((row) => row.role !== 'none');
}

/** Starts the worker, and shows the algorithms and pre-hashes of its module. */
async function startPage() {
  try {
    worker = startWorker();
    const { algorithms, prehashes } = await worker.loaded;
    for (const [id, names] of [['algorithm', algorithms], ['prehash', prehashes]]) {
      if (byId(id).options.length === 1) for (const name of names) byId(id).append(new Option(name, name));
    }
    document.documentElement.dataset.ready = 'true';
  } catch (error) {
    showAnswer('no', `NO: this browser cannot run the page: ${error.message}`);
    byId('choose').disabled = true;
  }
}

byId('choose').addEventListener('change', () => {
  addFiles([...byId('choose').files]);
  // Without this line, choosing the same file again would have no effect.
  byId('choose').value = '';
});
for (const id of ['expected', 'require', 'context', 'context-hex', 'prehash', 'input', 'namespace', 'algorithm']) byId(id).addEventListener('input', inputsChanged);
byId('verify').addEventListener('click', verify);
byId('cancel').addEventListener('click', () => {
  worker.end();
  showIdle();
  startPage();
  clearAnswer();
  showAnswer('neutral', 'Stopped: no file is verified.');
});
byId('reset').addEventListener('click', () => {
  worker.end();
  showIdle();
  startPage();
  files = [];
  byId('files').replaceChildren();
  for (const id of ['expected', 'context', 'prehash', 'algorithm']) byId(id).value = '';
  byId('context-hex').checked = false;
  byId('input').value = 'message';
  byId('namespace').value = 'file';
  byId('require').value = 'each';
  inputsChanged();
  byId('choose').focus();
});
for (const name of ['dragenter', 'dragover']) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    byId('drop').classList.add('over');
  });
}
for (const name of ['dragleave', 'drop']) document.addEventListener(name, () => byId('drop').classList.remove('over'));
document.addEventListener('drop', (event) => {
  event.preventDefault();
  if (!running) addFiles([...event.dataTransfer.files]);
});
startPage();
