import assert from "node:assert/strict";
import { test } from "node:test";
import { createRegistryClient } from "@dataspace/clients/registry-client";
import { DEMO_VERIFICATION_CODE } from "@dataspace/protocol/demo-verification-code";
import { parseEName } from "@dataspace/protocol/ename";
import { encodeHex } from "@dataspace/protocol/hex";
import { decodePublicKey, pointToSpki } from "@dataspace/protocol/public-key";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createMemoryKeyStore } from "@dataspace/wallet/key-store";
import { createNodeCryptoKey } from "@dataspace/wallet/node-crypto-key";
import { createProvisioning, type Provisioning } from "@dataspace/wallet/provisioning";
import { signBindingDocument } from "@dataspace/wallet/sign-binding-document";
import { syncPublicKey } from "@dataspace/wallet/sync-public-key";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import type { Fetch } from "@dataspace/clients/timed-fetch";
import type { Exchange } from "@dataspace/wallet/exchange";
import type { KeyStore } from "@dataspace/wallet/key-store";
import type { ProvisionDraft } from "@dataspace/wallet/provision-draft";
import { askGraphQL, create } from "./support/ask.ts";
import { startTestSpace } from "./support/start-test-space.ts";

const clock = { nowMs: () => Date.now() };
const ADA = { id: "ada", verificationId: DEMO_VERIFICATION_CODE };

interface Where {
  readonly registryUrl: string;
  readonly vaultUrl: string;
}

/** A wallet with a store of its own, that keeps its drafts as the JSON text a page would keep. */
interface TestWallet {
  readonly keys: KeyStore;
  readonly provisioning: Provisioning;
  readonly drafts: string[];
  readonly exchanges: readonly Exchange[];
  readonly lastDraft: () => ProvisionDraft;
}

function createWallet(
  { registryUrl, vaultUrl }: Where,
  changes: { fetch?: Fetch; earlier?: TestWallet } = {},
): TestWallet {
  const keys = changes.earlier?.keys ?? createMemoryKeyStore({ createKey: createWalletKey });
  const drafts = changes.earlier?.drafts ?? [];
  const exchanges: Exchange[] = [];
  const deps = {
    fetch: changes.fetch ?? fetch,
    clock,
    keys,
    save: (draft: ProvisionDraft) => void drafts.push(JSON.stringify(draft)),
    report: (exchange: Exchange) => void exchanges.push(exchange),
  };
  const provisioning = createProvisioning(deps, { registryUrl, provisionerUrl: vaultUrl });
  return { keys, provisioning, drafts, exchanges, lastDraft: () => JSON.parse(drafts.at(-1) ?? "") };
}

/** A network that fails at its nth request, before it is sent or after it was answered, and never again. */
function failingAt(n: number, when: "before" | "after"): Fetch {
  let count = 0;
  return async (url, init) => {
    const isThis = ++count === n;
    if (isThis && when === "before") throw new TypeError("no network");
    const response = await fetch(url, init);
    if (!isThis) return response;
    await response.body?.cancel();
    throw new TypeError("connection reset");
  };
}

async function listNames({ registryUrl }: Where): Promise<readonly string[]> {
  const names = (await (await fetch(`${registryUrl}/list`)).json()) as readonly { readonly ename: string }[];
  return names.map(({ ename }) => ename);
}

test("a wallet makes a key, an eName and a vault, finds its key certified, and writes with a token (S3 Sandbox, decisions I4, V17) [P-SBX-004] [P-SBX-005] [P-SBX-006] [P-SBX-007] [P-SBX-008] [P-SBX-010] [V-HTTP-021]", async () => {
  await using space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
  const wallet = createWallet(space);
  const identity = await wallet.provisioning.provision(ADA);
  const key = await wallet.keys.ensure("ada");
  assert.deepEqual(identity, { id: "ada", ename: identity.ename, vaultUrl: space.vaultUrl, publicKey: key.publicKey });
  assert.equal((await createRegistryClient({ fetch }, space).resolve(identity.ename))?.uri, space.vaultUrl);

  const token = await issueWalletToken({ key, clock }, { ename: identity.ename, audience: identity.ename });
  const payload = { text: "Grüße ☺" };
  const written = await create(space, { owner: identity.ename, token }, { ontology: "note-v1", payload });
  assert.deepEqual(written.metaEnvelope?.parsed, payload);

  const steps = wallet.exchanges.map(({ step, method, status }) => `${step} ${method} ${status}`);
  assert.deepEqual(steps, [
    "entropy GET 200",
    "provision POST 200",
    ...["certificates GET 200", "certificates GET 200", "certificates GET 200"],
  ]);
  const exchanges = JSON.stringify(wallet.exchanges);
  const draft = wallet.drafts.map((text) => JSON.parse(text) as ProvisionDraft).find(({ step }) => step === "entropy");
  assert.ok(draft?.step === "entropy");
  for (const secret of [DEMO_VERIFICATION_CODE, draft.registryEntropy]) assert.ok(!exchanges.includes(secret));
  assert.ok(exchanges.includes(identity.ename) && exchanges.includes(identity.publicKey));
});

for (const when of ["before", "after"] as const) {
  test(`a provisioning whose network fails at any request, ${when} it was answered, is resumed to the same one vault (decision V17)`, async () => {
    await using space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
    for (let n = 1; n <= 5; n++) {
      const names = await listNames(space);
      const broken = createWallet(space, { fetch: failingAt(n, when) });
      await assert.rejects(broken.provisioning.provision(ADA), {
        name: "WalletError",
        code: /^(REGISTRY|PROVISIONER|VAULT)_UNAVAILABLE$/,
        message: /^The \w+ does not answer now: .+ Try again in a while\.$/,
      });
      const { provisioning, keys, lastDraft } = createWallet(space, { earlier: broken });
      const { ename, publicKey } = await provisioning.resume(broken.lastDraft());
      assert.equal(publicKey, (await keys.load("ada"))?.publicKey);
      assert.deepEqual(
        (await listNames(space)).filter((name) => !names.includes(name)),
        [ename],
        `at request ${n}`,
      );
      assert.equal(await syncPublicKey({ fetch, clock }, space, { ename, publicKey }), "certified");
      assert.equal((await provisioning.resume(lastDraft())).ename, ename, "resumed twice");
    }
  });

  test(`a provisioning whose network fails, ${when} it was answered, is discarded unless its vault is there (decision V17)`, async () => {
    await using space = await startTestSpace();
    for (let n = 1; n <= 5; n++) {
      const names = await listNames(space);
      const broken = createWallet(space, { fetch: failingAt(n, when) });
      await assert.rejects(broken.provisioning.provision(ADA), { name: "WalletError" });
      const { provisioning, keys } = createWallet(space, { earlier: broken });
      const isMade = (await listNames(space)).length > names.length;
      assert.equal(isMade, n > 2 || (n === 2 && when === "after"));
      const discarded = provisioning.discard(broken.lastDraft());
      await (isMade ? assert.rejects(discarded, { code: "VAULT_EXISTS" }) : discarded);
      assert.equal((await keys.load("ada")) !== undefined, isMade, `at request ${n}`);
    }
  });
}

test("a refused code is reported with the provisioner's own, and another code goes on where it stopped (decision V17)", async () => {
  await using space = await startTestSpace();
  const wallet = createWallet(space);
  const refused = {
    code: "PROVISIONER_REFUSED",
    refusal: "INVALID_VERIFICATION",
    message: /^The provisioner refused: /,
  };
  await assert.rejects(wallet.provisioning.provision({ id: "ada", verificationId: "not-issued" }), refused);
  const draft = wallet.lastDraft();
  assert.equal(draft.step, "entropy");
  const { publicKey } = await wallet.provisioning.resume({ ...draft, verificationId: DEMO_VERIFICATION_CODE });
  assert.equal(publicKey, draft.publicKey);
});

test("expired entropy is replaced, and a draft without its key is refused (decision V17)", async () => {
  await using space = await startTestSpace();
  const wallet = createWallet(space);
  const draft = await wallet.provisioning.begin(ADA);
  const token = await createRegistryClient({ fetch }, space).requestEntropy();
  const registryEntropy = `${token.slice(0, token.lastIndexOf(".") + 1)}${"A".repeat(86)}`;
  const identity = await wallet.provisioning.resume({ ...draft, step: "entropy", registryEntropy });
  assert.equal(identity.publicKey, draft.publicKey);

  const other = createWallet(space);
  await assert.rejects(other.provisioning.resume(draft), { code: "KEY_MISSING" });
  await other.provisioning.begin(ADA);
  await assert.rejects(other.provisioning.resume(draft), { code: "KEY_MISSING" });
});

test("a party that is not there, or is not what its address says, is named in a sentence", async () => {
  await using space = await startTestSpace();
  const nowhere = "http://127.0.0.1:9";
  const cases = [
    [{ registryUrl: nowhere, vaultUrl: space.vaultUrl }, "REGISTRY_UNAVAILABLE"],
    [{ registryUrl: space.registryUrl, vaultUrl: nowhere }, "PROVISIONER_UNAVAILABLE"],
    [{ registryUrl: space.vaultUrl, vaultUrl: space.vaultUrl }, "REGISTRY_REFUSED"],
    [{ registryUrl: space.registryUrl, vaultUrl: space.registryUrl }, "PROVISIONER_REFUSED"],
  ] as const;
  for (const [where, code] of cases) {
    await assert.rejects(createWallet(where).provisioning.provision(ADA), { code, message: /\.$/ });
  }
});

test("a party whose answers cannot be right is not believed, and nothing of them is stored (decision V17)", async () => {
  await using space = await startTestSpace();
  const answering =
    (path: string, body: object): Fetch =>
    (url, init) =>
      url.endsWith(path) ? Promise.resolve(Response.json(body)) : fetch(url, init);
  const another = { success: true, dsid: "@11111111-2222-4333-8444-555555555555", uri: space.vaultUrl };
  const cases = [
    [answering("/entropy", { token: "a.b.c" }), "UNEXPECTED_ANSWER", "begun"],
    [answering("/entropy", { entropy: "x" }), "REGISTRY_UNAVAILABLE", "begun"],
    [answering("/provision", another), "UNEXPECTED_ANSWER", "entropy"],
    [answering("/provision", { success: true }), "PROVISIONER_UNAVAILABLE", "entropy"],
    [answering("/whois", { keyBindingCertificates: ["x"] }), "VAULT_UNAVAILABLE", "vault"],
  ] as const;
  for (const [stub, code, step] of cases) {
    const wallet = createWallet(space, { fetch: stub });
    await assert.rejects(wallet.provisioning.provision(ADA), { code });
    assert.equal(wallet.lastDraft().step, step);
  }
  const ename = parseEName(another.dsid);
  const { publicKey } = createNodeCryptoKey();
  const unknown = { code: "REGISTRY_REFUSED", refusal: "UNKNOWN_ENAME", message: /provision a vault\.$/ };
  await assert.rejects(syncPublicKey({ fetch, clock }, space, { ename, publicKey }), unknown);
});

test("a second device's key is added by the first's and then found certified; nobody else adds one (S1 PATCH /public-key, decision I6) [V-KEY-003] [V-KEY-004]", async () => {
  await using space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
  const wallet = createWallet(space);
  const { ename } = await wallet.provisioning.provision(ADA);
  const [phone, tablet, thief] = [await wallet.keys.ensure("ada"), createNodeCryptoKey(), createNodeCryptoKey()];
  const sync = (by?: Parameters<typeof syncPublicKey>[2]["by"]) =>
    syncPublicKey({ fetch, clock }, space, { ename, publicKey: tablet.publicKey, ...(by === undefined ? {} : { by }) });
  await assert.rejects(sync(), { code: "KEY_NOT_CERTIFIED" });
  await assert.rejects(sync({ key: thief }), { code: "VAULT_REFUSED", refusal: "INVALID_TOKEN" });
  await assert.rejects(sync({ recoveryCode: "dsr_guessed" }), { code: "VAULT_REFUSED", refusal: "INVALID_TOKEN" });
  assert.equal(await sync({ key: phone }), "added");
  assert.equal(await sync({ key: phone }), "certified");
  const inHex = { ename, publicKey: `z${encodeHex(pointToSpki(decodePublicKey(tablet.publicKey).point))}` };
  assert.equal(await syncPublicKey({ fetch, clock }, space, inHex), "certified", "in another spelling");
});

test("a binding document that the wallet signed is taken by the owner's vault (S1 Binding document) [V-BIND-034]", async () => {
  await using space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
  const wallet = createWallet(space);
  const { ename } = await wallet.provisioning.provision(ADA);
  const key = await wallet.keys.ensure("ada");
  const said = { subject: ename, type: "self", data: { kind: "self", name: "Ada Ünï" } };
  const { document, signature } = await signBindingDocument(said, { ename, key, clock });
  const token = await issueWalletToken({ key, clock }, { ename, audience: ename });
  const { data } = await askGraphQL<{ createBindingDocument: { errors: object[]; metaEnvelopeId: string } }>(
    space,
    { owner: ename, token },
    {
      query:
        "mutation($input: CreateBindingDocumentInput!) { createBindingDocument(input: $input) { metaEnvelopeId errors { code } } }",
      variables: { input: { ...document, ownerSignature: signature } },
    },
  );
  assert.deepEqual(data.createBindingDocument.errors, []);
  assert.ok(data.createBindingDocument.metaEnvelopeId);
});
