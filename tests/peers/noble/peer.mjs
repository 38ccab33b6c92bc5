// @noble/post-quantum as a peer. The first argument is the folder of the package. Each line of
// standard input is a command: words with tabs between them, and bytes in hexadecimal. The answer
// is a line. tests/common/programs.rs and tests/common/mldsa_programs.rs define the commands.
// ML-DSA keys are raw, and private keys are expanded.
import { createInterface } from "node:readline";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const load = (...path) => import(pathToFileURL(join(process.argv[2], ...path)));
const falcon = await load("falcon.js");
const mldsa = await load("ml-dsa.js");
const hashes = { ...(await load("..", "hashes", "sha2.js")), ...(await load("..", "hashes", "sha3.js")) };
const bytes = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const forms = { compressed: "", padded: "padded", attached: "", "attached-padded": "padded" };

// Returns a hash by its name in fndsa: sha512-256 is sha512_256, and shake128 has 32 bytes.
const hash = (name) => hashes[{ shake128: "shake128_32", shake256: "shake256_64" }[name] ?? name.replace("-", "_")];

function standard(command, algorithm, form, ...words) {
  const set = mldsa[algorithm.replace("ml-dsa-", "ml_dsa")];
  if (command === "keygen") {
    const { secretKey, publicKey } = set.keygen();
    return `${hex(secretKey)}\t${hex(publicKey)}`;
  }
  const [key, message, context, signature] = words.map(bytes);
  if (form === "mu") return hex(set.internal.sign(message, key, { externalMu: true }));
  const scheme = form === "pure" || form === "deterministic" ? set : set.prehash(hash(form));
  if (command === "verify") return String(scheme.verify(signature, message, key, { context }));
  return hex(scheme.sign(message, key, form === "deterministic" ? { context, extraEntropy: false } : { context }));
}

function answer(command, algorithm, form, key, message, signature) {
  const scheme = falcon[algorithm + forms[form ?? "compressed"]];
  const attached = form?.startsWith("attached");
  switch (command) {
    case "keygen": {
      const { secretKey, publicKey } = scheme.keygen();
      return `${hex(secretKey)}\t${hex(publicKey)}`;
    }
    case "sign":
      return hex(attached ? scheme.attached.seal(bytes(message), bytes(key)) : scheme.sign(bytes(message), bytes(key)));
    case "verify":
      if (!attached) return String(scheme.verify(bytes(signature), bytes(message), bytes(key)));
      return String(hex(scheme.attached.open(bytes(signature), bytes(key))) === message);
  }
  throw new Error(`no command ${command}`);
}

for await (const line of createInterface({ input: process.stdin })) {
  try {
    const words = line.split("\t");
    console.log(words[1].startsWith("ml-dsa-") ? standard(...words) : answer(...words));
  } catch (error) {
    console.log(`error: ${error.message.split("\n")[0]}`);
  }
}
