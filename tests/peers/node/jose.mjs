// The npm package jose as a peer. The first argument is the folder of the package. Each line of
// standard input is a command: words with tabs between them. The answer is a line.
//
// | command | answer |
// |---|---|
// | `keygen` | the private key as a JSON Web Key in hexadecimal, the raw public key in hexadecimal |
// | `sign JWK PAYLOAD` (both in hexadecimal) | the token in hexadecimal |
// | `keygen-of ALG` | the private key as a JSON Web Key in hexadecimal |
// | `sign-detached JWK ALG B64 PAYLOAD` | a signature without the payload in hexadecimal |
// | `verify-detached JWK ALG JWS PAYLOAD` | the thumbprint of the key in hexadecimal |
// | `verify JWK TOKEN` (both in hexadecimal) | the payload and the thumbprint of the key, both in hexadecimal |
//
// `keygen`, `sign` and `verify` use ML-DSA-65. ALG is a name such as `EdDSA` or `ML-DSA-44`. B64 is
// `true` if the payload is signed in base64url, and otherwise `false`. The words JWK, JWS and
// PAYLOAD are in hexadecimal.
import { createInterface } from "node:readline";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const load = join(process.argv[2], "dist", "webapi", "index.js");
const { CompactSign, FlattenedSign, calculateJwkThumbprint, compactVerify, exportJWK, flattenedVerify, generateKeyPair, importJWK } =
  await import(pathToFileURL(load));
const ALGORITHM = "ML-DSA-65";
const text = (hex) => Buffer.from(hex, "hex").toString();
const hex = (bytes) => Buffer.from(bytes).toString("hex");

// Signs or verifies a message that is not in the signature.
async function detached(command, ...words) {
  const jwk = JSON.parse(text(words[0]));
  const algorithm = words[1];
  const key = await importJWK(jwk, algorithm);
  if (command === "sign-detached") {
    const header = words[2] === "true" ? { alg: algorithm } : { alg: algorithm, b64: false, crit: ["b64"] };
    const signed = await new FlattenedSign(Buffer.from(words[3], "hex")).setProtectedHeader(header).sign(key);
    return hex(`${signed.protected}..${signed.signature}`);
  }
  const [header, , signature] = text(words[2]).trim().split(".");
  const payload = Buffer.from(words[3], "hex");
  await flattenedVerify({ protected: header, payload, signature }, key, { algorithms: [algorithm] });
  return hex(await calculateJwkThumbprint(jwk));
}

async function answer(command, ...words) {
  if (command === "keygen") {
    const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
    const jwk = await exportJWK(privateKey);
    return `${hex(JSON.stringify(jwk))}\t${Buffer.from(jwk.pub, "base64url").toString("hex")}`;
  }
  if (command === "keygen-of") {
    const { privateKey } = await generateKeyPair(words[0], { extractable: true });
    return hex(JSON.stringify(await exportJWK(privateKey)));
  }
  if (command.endsWith("-detached")) return detached(command, ...words);
  const jwk = JSON.parse(text(words[0]));
  const key = await importJWK(jwk);
  if (command === "sign") {
    const token = new CompactSign(Buffer.from(words[1], "hex")).setProtectedHeader({ alg: ALGORITHM });
    return hex(await token.sign(key));
  }
  const { payload } = await compactVerify(text(words[1]), key, { algorithms: [ALGORITHM] });
  return `${hex(payload)}\t${hex(await calculateJwkThumbprint(jwk))}`;
}

for await (const line of createInterface({ input: process.stdin })) {
  try {
    console.log(await answer(...line.split("\t")));
  } catch (error) {
    console.log(`error: ${error.message.split("\n")[0]}`);
  }
}
