// Verifies all vectors of /vectors.json with the modules that index.js chooses and with two other
// modules, and also verifies a download in pieces. browser.test.mjs reads the text of the page.
import { createVerifier, load, verify } from '/fndsa-verify/index.js';

const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const show = (text) => {
  document.body.textContent = text;
};

/** Verifies all vectors, and returns the number of expected verdicts as text. */
async function countExpected(vectors) {
  let expected = 0;
  for (const { publicKey, sig, msg, ctx, scheme, valid } of vectors) {
    const isAccepted = await verify({ publicKey: bytes(publicKey), signature: bytes(sig), message: bytes(msg), context: bytes(ctx), scheme }).catch(
      (error) => (error.name === 'KeyError' || error.name === 'RangeError' ? false : error),
    );
    expected += isAccepted === valid;
  }
  return `${expected} of ${vectors.length}`;
}

try {
  const vectors = await (await fetch('/vectors.json')).json();
  const results = [await countExpected(vectors)];
  const loaded = performance.getEntriesByType('resource').map((it) => it.name.split('/').pop());
  results.push(loaded.filter((name) => name.endsWith('.wasm')).join(' '));
  await load('/fndsa-verify/verify-ml-dsa.wasm');
  await load('/fndsa-verify/verify-ed25519.wasm');
  results.push(await countExpected(vectors));

  // The page downloads the message of a vector as a stream, as a blob and as a buffer.
  const { publicKey, sig, ctx } = vectors.find((it) => it.valid && it.msg !== '');
  const options = { publicKey: bytes(publicKey), signature: bytes(sig), context: bytes(ctx) };
  results.push(String(await verify({ ...options, message: (await fetch('/message')).body })));
  results.push(String(await verify({ ...options, message: await (await fetch('/message')).blob() })));
  results.push(String(await verify({ ...options, message: (await fetch('/vectors.json')).body })));
  const verifier = await createVerifier(options);
  results.push(String(verifier.update(await (await fetch('/message')).arrayBuffer()).finish()));
  results.push(await load('/no.wasm').catch((error) => error.message.replace(/^.*: /, '')));
  show(`done: ${results.join(', ')}`);
} catch (error) {
  show(`failed: ${error.stack}`);
}
