// Controls Chromium without a window, for the tests in web/test and packages/npm/test. Uses the
// DevTools protocol through a pipe, without a port and without a library.
import { execFileSync, spawn } from 'node:child_process';

/** The name of the program, or undefined if there is no browser. */
export const chromium = ['chromium', 'chromium-browser', 'google-chrome'].find((name) => {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-dev-shm-usage', '--disable-background-networking', '--hide-scrollbars'];

/** Starts a browser whose profile is in `profile`. */
export function launch(profile) {
  const child = spawn(chromium, [...FLAGS, '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [to, from] = [child.stdio[3], child.stdio[4]];
  const waiting = new Map();
  const listeners = new Set();
  let next = 1;
  let rest = '';
  const fail = (error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  to.on('error', fail);
  from.setEncoding('utf8');
  from.on('data', (text) => {
    const parts = (rest + text).split('\0');
    rest = parts.pop();
    for (const part of parts) {
      const message = JSON.parse(part);
      const answered = waiting.get(message.id);
      if (answered) {
        waiting.delete(message.id);
        if (message.error) answered.reject(new Error(`${answered.method}: ${message.error.message}`));
        else answered.resolve(message.result);
      } else {
        for (const listener of listeners) listener(message);
      }
    }
  });
  const ended = new Promise((done) => child.on('exit', done));
  ended.then(() => fail(new Error('the browser ended')));
  const send = (method, params = {}, sessionId = undefined) =>
    new Promise((resolve, reject) => {
      const id = next++;
      waiting.set(id, { resolve, reject, method });
      to.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });

  return {
    pid: child.pid,
    /** A promise that resolves when the browser has ended, for any reason. */
    ended,
    /** Opens an address in a new page, and waits until the page is loaded. */
    async open(url) {
      const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
      const events = [];
      const watchers = new Set();
      listeners.add((message) => {
        if (message.sessionId !== sessionId) return;
        events.push(message);
        for (const watcher of watchers) watcher(message);
      });
      const call = (method, params) => send(method, params, sessionId);
      const happens = (method) =>
        new Promise((done) => {
          const watcher = (message) => {
            if (message.method !== method) return;
            watchers.delete(watcher);
            done(message.params);
          };
          watchers.add(watcher);
        });
      for (const domain of ['Page', 'Runtime', 'Network', 'Log', 'DOM', 'Accessibility']) await call(`${domain}.enable`);
      const loaded = happens('Page.loadEventFired');
      await call('Page.navigate', { url });
      await loaded;
      /** Evaluates an expression in the page, and returns its awaited value. */
      const evaluate = async (expression) => {
        const { result, exceptionDetails } = await call('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
      };
      const close = () => send('Target.closeTarget', { targetId });
      return { call, evaluate, events, close };
    },
    async close() {
      await send('Browser.close').catch(() => {});
      await ended;
    },
  };
}
