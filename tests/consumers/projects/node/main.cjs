const { open, CryographError } = require("cryograph");
const worker = require("cryograph/worker");
require("cryograph/inline");
require("cryograph/verify");

async function main() {
  const { freeze } = await import("./freeze.mjs");
  if (!(await open("/no/such").catch((error) => error instanceof CryographError)))
    throw new Error("another CryographError");
  process.stdout.write(
    JSON.stringify([await freeze(open, process.argv[2]), await freeze(worker.open, process.argv[2])]),
  );
}
main();
