import { createVerifyEcdsa } from "@dataspace/clients/verify-ecdsa";
import { openDeployment } from "@dataspace/deployment/open-deployment";
import { parseEName } from "@dataspace/protocol/ename";
import { systemClock } from "@dataspace/service-kit/clock";
import { createPostcards } from "./postcards.ts";

const [directory, owner] = process.argv.slice(2);
if (directory === undefined || owner === undefined) {
  console.error("Give the deployment's directory and the eName of the vault's owner.");
  process.exit(64);
}
const deps = openDeployment(directory, { fetch, clock: systemClock, verifyEcdsa: createVerifyEcdsa() });
for (const { authorName, text } of await createPostcards(deps).readPosts(parseEName(owner))) {
  console.log(`${authorName}: ${text}`);
}
