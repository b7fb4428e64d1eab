// node scripts/go.mjs packages/wallet/example.ts [registry] [provisioner] ["ds://auth?..."], beside `npm start`
import { DEMO_VERIFICATION_CODE } from "@dataspace/protocol/demo-verification-code";
import { authenticate } from "@dataspace/wallet/answer-request";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createMemoryKeyStore } from "@dataspace/wallet/key-store";
import { parseWalletUri } from "@dataspace/wallet/parse-wallet-uri";
import { createProvisioning } from "@dataspace/wallet/provisioning";
import { createWalletKey } from "@dataspace/wallet/wallet-key";

const [registryUrl = "http://127.0.0.1:4321", provisionerUrl = "http://127.0.0.1:4000", uri] = process.argv.slice(2);
const clock = { nowMs: () => Date.now() };
// Without a data space that answers, the program ends with the sentence of a WalletError.
process.on("uncaughtException", (error) => {
  console.error(error.message);
  process.exit(1);
});
const keys = createMemoryKeyStore({ createKey: createWalletKey });

// A new identity. `save` is where a wallet writes down how far it has come; after a failure, `resume` goes on from there.
const provisioning = createProvisioning(
  { fetch, clock, keys, save: () => {}, report: ({ step, status }) => console.log(step, status) },
  { registryUrl, provisionerUrl },
);
const { ename, vaultUrl } = await provisioning.provision({ id: "ada", verificationId: DEMO_VERIFICATION_CODE });
console.log(ename, vaultUrl);

// A record in its vault. A token serves one request that writes.
const key = await keys.ensure("ada");
const token = await issueWalletToken({ key, clock }, { ename, audience: ename });
const query = "mutation($input: MetaEnvelopeInput!) { createMetaEnvelope(input: $input) { metaEnvelope { id } } }";
const input = { ontology: "note-v1", payload: { text: "Written by my own wallet." } };
const written = await fetch(`${vaultUrl}/graphql`, {
  method: "POST",
  headers: { "content-type": "application/json", "x-ename": ename, authorization: `Bearer ${token}` },
  body: JSON.stringify({ query, variables: { input } }),
});
console.log(await written.text());

// A login, as its code was scanned or pasted. A wallet shows who asks, and waits for the person's yes.
if (uri !== undefined) {
  const request = parseWalletUri(uri);
  if (request.kind !== "auth") throw new Error("Give the address of a login.");
  console.log(`${request.platform} at ${request.redirect} asks who you are. ${request.meaning.sentence}`);
  await authenticate({ fetch }, request, { ename, key });
}
