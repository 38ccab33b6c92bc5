// The module node:crypto as a peer. Each line of standard input is a command: words with tabs
// between them, and bytes in hexadecimal. The answer is a line. tests/common/mldsa_programs.rs
// defines the commands. Private keys are PKCS#8, and public keys are SPKI.
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import { createInterface } from "node:readline";

const bytes = (hex) => Buffer.from(hex, "hex");

function answer(command, algorithm, form, ...words) {
  if (command === "keygen") {
    const { privateKey, publicKey } = generateKeyPairSync(algorithm);
    const [pkcs8, spki] = [privateKey.export({ type: "pkcs8", format: "der" }), publicKey.export({ type: "spki", format: "der" })];
    return `${pkcs8.toString("hex")}\t${spki.toString("hex")}`;
  }
  if (form !== "pure") throw new Error(`no form ${form}`);
  const [der, message, context, signature] = words.map(bytes);
  const read = command === "sign" ? createPrivateKey : createPublicKey;
  const key = read({ key: der, format: "der", type: command === "sign" ? "pkcs8" : "spki" });
  if (key.asymmetricKeyType !== algorithm) throw new Error(`a key of ${key.asymmetricKeyType}`);
  if (command === "sign") return sign(null, message, { key, context }).toString("hex");
  return String(verify(null, message, { key, context }, signature));
}

for await (const line of createInterface({ input: process.stdin })) {
  try {
    console.log(answer(...line.split("\t")));
  } catch (error) {
    console.log(`error: ${error.message.split("\n")[0]}`);
  }
}
