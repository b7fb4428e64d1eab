import assert from "node:assert/strict";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { test } from "node:test";
import { DEMO_VERIFICATION_CODE } from "@dataspace/protocol/demo-verification-code";
import { resumeRegistrations } from "../src/registration.ts";
import { issueVerificationCode } from "../src/verification-codes.ts";
import { type Answer, ask } from "./support/ask.ts";
import type { StubRegistry } from "./support/start-stub-registry.ts";
import { startTestProvisioner, VAULT_URL } from "./support/start-test-provisioner.ts";

interface ProvisionAnswer {
  readonly success: boolean;
  readonly dsid?: string;
  readonly uri?: string;
  readonly existingDsid?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

const NAMESPACE = "11111111-1111-4111-8111-111111111111";
const ENTROPY = "AbCdEfGhIjKlMnOpQrSt";
const ENAME = "@5ecf7860-1190-592e-925a-b2c6e0f95ff0";

test("POST /provision answers success, the eName (UUIDv5 of namespace and entropy) and the vault's address [S1 POST /provision, V17] [V-HTTP-018] [V-HTTP-019] [V-HTTP-020] [V-HTTP-023] [V-DEC-660] [V-DEC-661] [V-DEC-662]", async (t) => {
  const { url, registry, vaults } = await startTestProvisioner(t);
  const { text, point } = createKey();
  const { status, body } = await provision(url, requestOf(registry, { publicKey: text, extra: "ignored" }));
  assert.deepEqual([status, body], [200, { success: true, dsid: ENAME, uri: VAULT_URL }]);
  const [vault, ...others] = await vaults();
  assert.deepEqual(others, []);
  assert.partialDeepStrictEqual(vault, { owner: ENAME, publicKey: text, point });
  assert.match(vault?.vaultId ?? "", /^@[0-9a-f-]{36}$/);
  assert.deepEqual(registry.registered.get(ENAME), { ename: ENAME, uri: VAULT_URL, vault: vault?.vaultId });
});

test("POST /provision without a key, or with the zero key of any length, makes a keyless vault [S1 POST /provision, V17] [V-HTTP-022] [V-DEC-668]", async (t) => {
  const { url, registry, vaults } = await startTestProvisioner(t);
  const keys = [undefined, `0x${"0".repeat(38)}`, `0x${"0".repeat(40)}`, "0x0"];
  for (const [index, publicKey] of keys.entries()) {
    const entropy = `${ENTROPY.slice(0, 19)}${index}`;
    assert.equal((await provision(url, requestOf(registry, { publicKey }, { entropy }))).status, 200);
  }
  assert.deepEqual(
    (await vaults()).map(({ publicKey }) => publicKey),
    [null, null, null, null],
  );
});

test("POST /provision gives each vault its own id, or the one that VAULT_ID names [P8] [V-DEC-001]", async (t) => {
  const own = await startTestProvisioner(t);
  for (const entropy of [ENTROPY, ENTROPY.toLowerCase()])
    await provision(own.url, requestOf(own.registry, {}, { entropy }));
  assert.equal(new Set((await own.vaults()).map(({ vaultId }) => vaultId)).size, 2);
  const named = await startTestProvisioner(t, { vaultId: "the-vault" });
  await provision(named.url, requestOf(named.registry));
  assert.equal((await named.vaults())[0]?.vaultId, "the-vault");
});

test("POST /provision refuses bad input with 400 and its own code, and makes nothing [V17] [V-DEC-367] [V-DEC-669] [V-DEC-664]", async (t) => {
  const { url, registry, vaults } = await startTestProvisioner(t);
  const good = requestOf(registry);
  const nowSeconds = Math.floor(Date.now() / 1000);
  const times = { iat: nowSeconds, exp: nowSeconds + 3600 };
  const tokens = [
    "x",
    "a.b.c",
    registry.sign({ entropy: ENTROPY, ...times }, { strange: true }),
    registry.sign({ entropy: ENTROPY, ...times }, { kid: "k2" }),
    registry.sign({ entropy: ENTROPY, iat: nowSeconds - 3700, exp: nowSeconds - 100 }),
    registry.sign({ entropy: ENTROPY, iat: nowSeconds + 100, exp: nowSeconds + 3600 }),
    registry.sign({ entropy: ENTROPY, iat: nowSeconds, exp: nowSeconds + 86_400 }),
    registry.sign({ entropy: ENTROPY, iat: nowSeconds }),
    registry.sign({ platform: "p", ...times }),
    registry.sign({ entropy: ENTROPY, platform: "p", ...times }),
    registry.sign({ entropy: ENTROPY, ename: ENAME, ...times }),
    registry.sign({ entropy: ENTROPY, publicKey: "z", ...times }),
    registry.sign({ entropy: ENTROPY.slice(1), ...times }),
    registry.sign({ entropy: `${ENTROPY.slice(1)}-`, ...times }),
    registry.sign({ entropy: 7, ...times }),
  ];
  const { text } = createKey();
  const cases: readonly (readonly [unknown, string])[] = [
    ...[
      "{",
      "[]",
      "null",
      "",
      { ...good, registryEntropy: undefined },
      { ...good, namespace: 7 },
      { ...good, publicKey: null },
    ].map((body) => [body, "BAD_REQUEST"] as const),
    ...["registryEntropy", "namespace", "verificationId"].map(
      (name) => [{ ...good, [name]: "" }, "BAD_REQUEST"] as const,
    ),
    ...tokens.map((registryEntropy) => [{ ...good, registryEntropy }, "INVALID_ENTROPY"] as const),
    ...["x", `${NAMESPACE}0`, ENAME].map((namespace) => [{ ...good, namespace }, "INVALID_NAMESPACE"] as const),
    ...["", "z", "zzz", text.slice(1), `0x${text.slice(1)}`, `m${text}`, `z${"0".repeat(40)}`, `${text}00`].map(
      (publicKey) => [{ ...good, publicKey }, "INVALID_PUBLIC_KEY"] as const,
    ),
    [{ ...good, verificationId: randomUUID() }, "INVALID_VERIFICATION"],
  ];
  for (const [body, code] of cases) assert.deepEqual(await refusalOf(url, body), `400 ${code}`, JSON.stringify(body));
  assert.deepEqual([await vaults(), registry.registered.size], [[], 0]);
  assert.equal((await provision(url, good)).status, 200, "the entropy is still unspent");
});

test("POST /provision: spent entropy is 409 with existingDsid, in any namespace and with any key [V17] [V-DEC-663] [T-30]", async (t) => {
  const { url, registry, vaults } = await startTestProvisioner(t);
  const request = requestOf(registry, { publicKey: createKey().text });
  await provision(url, request);
  for (const other of [
    {},
    { namespace: randomUUID() },
    { publicKey: createKey().text },
    { registryEntropy: requestOf(registry).registryEntropy },
  ]) {
    const { status, body } = await provision(url, { ...request, ...other });
    assert.deepEqual([status, body.success, body.error?.code, body.existingDsid], [409, false, "ENTROPY_SPENT", ENAME]);
  }
  assert.deepEqual(
    (await vaults()).map(({ publicKey }) => publicKey),
    [request.publicKey],
  );
});

test("POST /provision: an issued code is good for one vault; one that met spent entropy stays good [V17] [V-DEC-665] [V-DEC-666]", async (t) => {
  const { url, registry, deps, vaults } = await startTestProvisioner(t, { demoCode: false });
  const [first, second] = [
    await issueVerificationCode(deps.database, deps.clock),
    await issueVerificationCode(deps.database, deps.clock),
  ];
  const request = requestOf(registry, { verificationId: first });
  assert.equal((await provision(url, request)).status, 200);
  const other = requestOf(registry, { verificationId: first }, { entropy: ENTROPY.toLowerCase() });
  assert.equal(await refusalOf(url, other), "409 VERIFICATION_USED");
  assert.equal((await provision(url, request)).body.existingDsid, ENAME, "the same request again gets its vault");
  assert.equal(await refusalOf(url, { ...request, verificationId: second }), "409 ENTROPY_SPENT");
  assert.equal((await provision(url, { ...other, verificationId: second })).status, 200);
  assert.equal((await vaults()).length, 2);
});

test("POST /provision: the demo code is unknown outside development [V17] [V-DEC-667]", async (t) => {
  const { url, registry } = await startTestProvisioner(t, { demoCode: false });
  assert.equal(await refusalOf(url, requestOf(registry)), "400 INVALID_VERIFICATION");
});

test("POST /provision: 32 times at once makes one vault, answered once with success [V17] [V-DEC-670] [T-30]", async (t) => {
  const { url, registry, vaults } = await startTestProvisioner(t);
  const request = requestOf(registry, { publicKey: createKey().text });
  const answers = await Promise.all(Array.from({ length: 32 }, () => provision(url, request)));
  const outcomes = answers.map(({ status, body }) => `${status} ${body.dsid ?? body.existingDsid}`).toSorted();
  assert.deepEqual(outcomes, [`200 ${ENAME}`, ...Array(31).fill(`409 ${ENAME}`)]);
  assert.deepEqual([(await vaults()).length, registry.registered.size], [1, 1]);
});

test("POST /provision: one code presented with 16 entropies at once makes one vault [V17]", async (t) => {
  const { url, registry, deps, vaults } = await startTestProvisioner(t, { demoCode: false });
  const verificationId = await issueVerificationCode(deps.database, deps.clock);
  const requests = Array.from({ length: 16 }, (_, index) =>
    requestOf(registry, { verificationId }, { entropy: `${ENTROPY.slice(2)}${10 + index}` }),
  );
  const answers = await Promise.all(requests.map((request) => provision(url, request)));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array(15).fill(409)]);
  assert.equal((await vaults()).length, 1);
});

test("POST /provision: when the vault cannot be written, neither entropy nor code is spent [V17]", async (t) => {
  let fails = true;
  const { url, registry, deps } = await startTestProvisioner(t, {
    demoCode: false,
    createVault: async () => {
      if (fails) throw new Error("the disk is full");
    },
  });
  const request = requestOf(registry, { verificationId: await issueVerificationCode(deps.database, deps.clock) });
  assert.equal(await refusalOf(url, request), "500 INTERNAL_ERROR");
  assert.equal(registry.registered.size, 0);
  fails = false;
  assert.equal((await provision(url, request)).status, 200);
});

test("POST /provision: while the registry fails the answer is 503 and the same request succeeds later, no other one [V17]", async (t) => {
  const { url, registry, deps, vaults } = await startTestProvisioner(t, { demoCode: false });
  const verificationId = await issueVerificationCode(deps.database, deps.clock);
  const request = requestOf(registry, { verificationId, publicKey: createKey().text });
  for (const behaviour of [
    "break",
    "register-and-break",
    { status: 500, code: "INTERNAL_ERROR" },
    { status: 401, code: "UNAUTHENTICATED" },
  ] as const) {
    registry.behave(behaviour);
    assert.equal(await refusalOf(url, request), "503 REGISTRY_UNAVAILABLE", JSON.stringify(behaviour));
  }
  registry.behave("register");
  const otherKey = await provision(url, { ...request, publicKey: createKey().text });
  assert.deepEqual([otherKey.status, otherKey.body.error?.code], [409, "ENTROPY_SPENT"]);
  const again = await provision(url, request);
  assert.deepEqual([again.status, again.body], [200, { success: true, dsid: ENAME, uri: VAULT_URL }]);
  assert.deepEqual([(await vaults()).length, registry.registered.size], [1, 1]);
  assert.equal(await refusalOf(url, request), "409 ENTROPY_SPENT");
});

test("resumeRegistrations() registers at the start what a crash left unregistered, and goes past a taken eName [V17]", async (t) => {
  let nowMs = Date.now();
  const { url, registry, deps } = await startTestProvisioner(t, { clock: { nowMs: () => nowMs++ } });
  registry.behave("break");
  const taken = requestOf(registry);
  const crashed = requestOf(registry, {}, { entropy: ENTROPY.toLowerCase() });
  assert.equal(await refusalOf(url, taken), "503 REGISTRY_UNAVAILABLE");
  assert.equal(await refusalOf(url, crashed), "503 REGISTRY_UNAVAILABLE");
  await resumeRegistrations(deps);
  assert.equal(registry.registered.size, 0, "the registry is still down");

  const elsewhere = { ename: ENAME, uri: "http://127.0.0.1:4999", vault: "elsewhere" };
  registry.registered.set(ENAME, elsewhere);
  registry.behave("register");
  await resumeRegistrations(deps);
  assert.deepEqual([registry.registered.size, registry.registered.get(ENAME)], [2, elsewhere]);
  assert.equal(await refusalOf(url, crashed), "409 ENTROPY_SPENT");
  assert.equal(await refusalOf(url, taken), "409 ENAME_TAKEN");
});

test("POST /provision has a new key's certificate made, a keyless vault's not, a refused request's not [S1 POST /provision] [V-HTTP-021]", async (t) => {
  const warmed: string[] = [];
  const { url, registry } = await startTestProvisioner(t, { warmCertificate: (owner) => warmed.push(owner) });
  await provision(url, requestOf(registry, {}, { entropy: ENTROPY.toLowerCase() }));
  assert.deepEqual(warmed, []);
  const request = requestOf(registry, { publicKey: createKey().text });
  await provision(url, request);
  await provision(url, request);
  assert.deepEqual(warmed, [ENAME]);
});

async function provision(url: string, body: unknown): Promise<Answer<ProvisionAnswer>> {
  return ask<ProvisionAnswer>(url, { body });
}

async function refusalOf(url: string, body: unknown): Promise<string> {
  const { status, body: answer } = await provision(url, body);
  const { success, error } = answer;
  assert.deepEqual([success, Object.keys(error ?? {}).toSorted()], [false, ["code", "message"]]);
  return `${status} ${error?.code}`;
}

function requestOf(
  registry: StubRegistry,
  members: Readonly<Record<string, unknown>> = {},
  { entropy = ENTROPY } = {},
): Readonly<Record<string, unknown>> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  return {
    registryEntropy: registry.sign({ entropy, iat: nowSeconds, exp: nowSeconds + 3600 }),
    namespace: NAMESPACE,
    verificationId: DEMO_VERIFICATION_CODE,
    ...members,
  };
}

function createKey(): { readonly text: string; readonly point: Buffer } {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const spki = publicKey.export({ format: "der", type: "spki" });
  return { text: `z${spki.toString("hex")}`, point: spki.subarray(-65) };
}
