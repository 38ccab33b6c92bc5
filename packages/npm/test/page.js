// Verifies all vectors of /vectors.json with the modules that index.js chooses and with two others, and a download piece by piece.
// browser.test.mjs reads the text of the page.
import { createVerifier, load, verify } from '/fndsa-verify/index.js';

const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const say = (text) => {
  document.body.textContent = text;
};

async function all(vectors) {
  let right = 0;
  for (const { publicKey, sig, msg, ctx, scheme, valid } of vectors) {
    const found = await verify({ publicKey: bytes(publicKey), signature: bytes(sig), message: bytes(msg), context: bytes(ctx), scheme }).catch(
      (error) => (error.name === 'KeyError' || error.name === 'RangeError' ? false : error),
    );
    right += found === valid;
  }
  return `${right} of ${vectors.length}`;
}

try {
  const vectors = await (await fetch('/vectors.json')).json();
  const words = [await all(vectors)];
  const loaded = performance.getEntriesByType('resource').map((it) => it.name.split('/').pop());
  words.push(loaded.filter((name) => name.endsWith('.wasm')).join(' '));
  await load('/fndsa-verify/verify-ml-dsa.wasm');
  await load('/fndsa-verify/verify-ed25519.wasm');
  words.push(await all(vectors));

  // The message of a long vector comes over the network, as a stream.
  const { publicKey, sig, ctx } = vectors.find((it) => it.valid && it.msg !== '');
  const options = { publicKey: bytes(publicKey), signature: bytes(sig), context: bytes(ctx) };
  words.push(String(await verify({ ...options, message: (await fetch('/message')).body })));
  words.push(String(await verify({ ...options, message: await (await fetch('/message')).blob() })));
  words.push(String(await verify({ ...options, message: (await fetch('/vectors.json')).body })));
  const verifier = await createVerifier(options);
  words.push(String(verifier.update(await (await fetch('/message')).arrayBuffer()).finish()));
  words.push(await load('/no.wasm').catch((error) => error.message.replace(/^.*: /, '')));
  say(`done: ${words.join(', ')}`);
} catch (error) {
  say(`failed: ${error.stack}`);
}
