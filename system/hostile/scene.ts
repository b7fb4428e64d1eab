import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRegistryClient } from "@dataspace/clients/registry-client";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createNodeCryptoKey } from "@dataspace/wallet/node-crypto-key";
import type { EName } from "@dataspace/protocol/ename";
import type { WalletKey } from "@dataspace/wallet/wallet-key";
import { createOwner } from "../create-owner.ts";
import { openOwnerVault } from "../open-owner-vault.ts";
import { type LoginScene, prepareLogin } from "./login-scene.ts";
import type { CallerName } from "./operation.ts";
import { prepareReview, type ReviewScene } from "./review-scene.ts";

/** The addresses of the services and their settings. */
export interface SceneAddresses {
  readonly registryUrl: string;
  readonly vaultUrl: string;
  readonly awarenessUrl: string;
  readonly loginUrl: string;
  readonly authorityUrl: string;
  readonly secrets: { readonly ingest: string; readonly registry: string; readonly provisioning: string };
}

/**
 * People, records and credentials that exist before the attacks, so that an example of each operation reaches its code.
 */
export interface Scene extends AsyncDisposable {
  readonly owner: EName;
  readonly stranger: EName;
  /** Registered for no vault: attacks on the registry change and remove it. */
  readonly spare: EName;
  readonly bystander: { readonly ename: EName; readonly key: WalletKey };
  readonly ids: Readonly<
    Record<"record" | "envelope" | "bindingDocument" | "file" | "subscription" | "apiKey", string>
  >;
  readonly blobPath: string;
  readonly webhookUrl: string;
  readonly portal: { readonly cookie: string; readonly formToken: string };
  readonly login: LoginScene;
  readonly review: ReviewScene;
  readonly entropy: string;
  readonly publicKey: string;
  /** The credential headers of a caller; each call issues a new token, since one is valid for a single write. */
  readonly headersOf: (caller: CallerName) => Promise<Readonly<Record<string, string>>>;
}

const clock = { nowMs: () => Date.now() };

/** Prepares the scene with ordinary requests. Refuses: an Error when one of them is not answered as documented. */
export async function prepareScene(at: SceneAddresses): Promise<Scene> {
  await using opened = new AsyncDisposableStack();
  const webhookUrl = await startWebhookTarget(opened);
  const registry = createRegistryClient({ fetch }, at);
  const [ownerKey, strangerKey, bystanderKey] = [createNodeCryptoKey(), createNodeCryptoKey(), createNodeCryptoKey()];
  const owner = await createOwner(at, ownerKey.publicKey);
  const stranger = await createOwner(at, strangerKey.publicKey);
  const bystander = { ename: await createOwner(at, bystanderKey.publicKey), key: bystanderKey };
  const spare = await createOwner(at, undefined);
  const legacyToken = await registry.requestPlatformToken("https://hostile.example");
  const walletFor = (key: WalletKey, ename: EName, audience: string): Promise<string> =>
    issueWalletToken({ key, clock }, { ename, audience, lifetimeSeconds: 600 });
  const subscription = await postJson<{ readonly id: string }>(`${at.awarenessUrl}/api/subscriptions`, {
    targetUrl: webhookUrl,
    vaultFilter: [owner],
  });
  const apiKey = await postJson<{ readonly id: string; readonly key: string }>(
    `${at.awarenessUrl}/api/me/api-keys`,
    { label: "hostile" },
    { authorization: `Bearer ${await walletFor(ownerKey, owner, at.awarenessUrl)}` },
  );
  const records = await writeRecords(at, owner, ownerKey);
  const blobPath = await findBlobPath(`${at.vaultUrl}/files/${records.file}`, {
    "x-ename": owner,
    authorization: `Bearer ${await walletFor(ownerKey, owner, owner)}`,
  });
  const login = await prepareLogin({ loginUrl: at.loginUrl, ename: owner, key: ownerKey });
  const credentials: Readonly<Record<CallerName, () => Promise<string | undefined>>> = {
    nobody: async () => undefined,
    forger: async () => walletFor(createNodeCryptoKey(), owner, owner),
    owner: () => walletFor(ownerKey, owner, owner),
    stranger: () => walletFor(strangerKey, stranger, owner),
    "legacy platform": async () => legacyToken,
    "api key": async () => apiKey.key,
    "consumer wallet": () => walletFor(ownerKey, owner, at.awarenessUrl),
    "ingest secret": async () => at.secrets.ingest,
    "registry secret": async () => at.secrets.registry,
    "provisioning token": async () => at.secrets.provisioning,
    "access token": async () => login.accessToken,
  };
  const portal = await signInAtPortal(at.awarenessUrl);
  const review = await prepareReview({ authorityUrl: at.authorityUrl, ename: owner, key: ownerKey });
  const entropy = await registry.requestEntropy();
  const owned = opened.move();
  return {
    owner,
    stranger,
    spare,
    bystander,
    ids: { ...records, subscription: subscription.id, apiKey: apiKey.id },
    blobPath,
    webhookUrl,
    portal,
    login,
    review,
    entropy,
    publicKey: strangerKey.publicKey,
    headersOf: async (caller): Promise<Readonly<Record<string, string>>> => {
      const credential = await credentials[caller]();
      return credential === undefined ? {} : { authorization: `Bearer ${credential}` };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function startWebhookTarget(opened: AsyncDisposableStack): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  opened.defer(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
}

const ENVELOPES = "query($id: ID!) { metaEnvelope(id: $id) { envelopes { id } } }";

async function writeRecords(where: SceneAddresses, ename: EName, key: WalletKey) {
  const vault = openOwnerVault(where, { ename, key });
  const text = "It was a dark and stormy night. ".repeat(20);
  const payload = { title: "A note", text, likes: 3, tags: ["a", "b"] };
  const { id } = await vault.create({ ontology: "note-v1", payload });
  for (let index = 0; index < 40; index++) {
    await vault.create({ ontology: "note-v1", payload: { title: `Note ${index}`, text, index } });
  }
  type Read = { readonly metaEnvelope: { readonly envelopes: readonly { readonly id: string }[] } };
  const { metaEnvelope } = await vault.query<Read>(ENVELOPES, { id });
  const file = { filename: "a.txt", contentType: "text/plain", content: new TextEncoder().encode("hello"), acl: ["*"] };
  const { metaEnvelopeId } = await vault.uploadFile(file);
  return { record: id, envelope: metaEnvelope.envelopes[0]?.id ?? "", bindingDocument: id, file: metaEnvelopeId };
}

async function findBlobPath(url: string, credential: Readonly<Record<string, string>>): Promise<string> {
  const { headers } = await fetch(url, { redirect: "manual", headers: credential });
  return new URL(headers.get("location") ?? "", url).pathname;
}

async function signInAtPortal(awarenessUrl: string): Promise<Scene["portal"]> {
  const { headers } = await fetch(`${awarenessUrl}/portal/sign-in/dev`, { method: "POST", redirect: "manual" });
  const cookie = headers
    .getSetCookie()
    .map((text) => text.split(";")[0] as string)
    .filter((text) => !text.endsWith("="))
    .join("; ");
  const page = await (await fetch(`${awarenessUrl}/portal/subscriptions/new`, { headers: { cookie } })).text();
  return { cookie, formToken: /name="token" value="([^"]+)"/.exec(page)?.[1] ?? "" };
}

async function postJson<Answer>(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}
