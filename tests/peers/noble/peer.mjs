// @noble/post-quantum as a peer: one command a line, words parted by tabs, bytes in hexadecimal; one line of answer each.
// The first argument is the folder of the package. The commands are those of tests/common/programs.rs.
import { createInterface } from "node:readline";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const falcon = await import(pathToFileURL(join(process.argv[2], "falcon.js")));
const bytes = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const forms = { compressed: "", padded: "padded", attached: "", "attached-padded": "padded" };

function answer(command, algorithm, form, key, message, signature) {
  const scheme = falcon[algorithm + forms[form ?? "compressed"]];
  const attached = form?.startsWith("attached");
  switch (command) {
    case "keygen": {
      const { secretKey, publicKey } = scheme.keygen();
      return `${hex(secretKey)}\t${hex(publicKey)}`;
    }
    case "public":
      return hex(scheme.getPublicKey(bytes(key)));
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
    console.log(answer(...line.split("\t")));
  } catch (error) {
    console.log(`error: ${error.message.split("\n")[0]}`);
  }
}
