import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { encodeBase64 } from "./base64.ts";
import { ProtocolError } from "./protocol-error.ts";
import { encodeWebhookSecret, parseWebhookSecret } from "./webhook-secret.ts";
import { signWebhook, verifyWebhook, type WebhookToVerify } from "./webhook-signature.ts";

const ID = "b1c2d3e4-0000-4000-8000-000000000001";
const BODY = '{"eventId":"b1c2d3e4-0000-4000-8000-000000000001","data":{"text":"grüße"}}';
const SECRET = new Uint8Array(32).map((_byte, at) => at * 7);
const OTHER = new Uint8Array(24).fill(9);
const NOW = 1_795_000_000;

function makeKeyPair(): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
  return generateKeyPairSync("ed25519");
}

function toSigningKey(key: KeyObject): CryptoKey {
  return key.toCryptoKey("Ed25519", false, ["sign"]);
}

function toVerifyKey(key: KeyObject): CryptoKey {
  return key.toCryptoKey("Ed25519", true, ["verify"]);
}

async function signed(changes: Partial<Parameters<typeof signWebhook>[0]> = {}): Promise<WebhookToVerify> {
  const message = { id: ID, timestampSeconds: NOW, body: BODY, secrets: [SECRET], signingKeys: [], ...changes };
  return {
    headers: {
      "webhook-id": message.id,
      "webhook-timestamp": String(message.timestampSeconds),
      "webhook-signature": await signWebhook(message),
    },
    body: message.body,
    secrets: [SECRET],
    publicKeys: [],
    nowSeconds: NOW,
  };
}

function refusedAt(at: string): (error: unknown) => boolean {
  return (error) => error instanceof ProtocolError && error.code === "INVALID_WEBHOOK" && error.at === at;
}

const withHeader = (webhook: WebhookToVerify, name: string, value: string | null | undefined): WebhookToVerify => ({
  ...webhook,
  headers: { ...webhook.headers, [name]: value },
});

test("the library of Standard Webhooks accepts the v1 signature of any body, also beside others [decision E3]", async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), fc.uint8Array({ minLength: 24, maxLength: 64 }), async (body, secret) => {
      const timestampSeconds = Math.floor(Date.now() / 1000);
      const keys = makeKeyPair();
      const { headers } = await signed({
        body,
        timestampSeconds,
        secrets: [OTHER, secret],
        signingKeys: [toSigningKey(keys.privateKey)],
      });
      const library = new Webhook(encodeWebhookSecret(secret));
      library.verify(body, headers as Record<string, string>);
      const changed = `${body} `;
      assert.throws(() => library.verify(changed, headers as Record<string, string>));
    }),
    { numRuns: 50 },
  );
});

test("what the library of Standard Webhooks signed is accepted [decision E3]", async () => {
  const library = new Webhook(encodeWebhookSecret(SECRET));
  const webhook = withHeader(await signed(), "webhook-signature", library.sign(ID, new Date(NOW * 1000), BODY));
  assert.equal(await verifyWebhook(webhook), "v1");
});

test("a v1a signature is Ed25519 over id, timestamp and body, as node:crypto makes and verifies it [decision E3]", async () => {
  const { privateKey, publicKey } = makeKeyPair();
  const content = Buffer.from(`${ID}.${NOW}.${BODY}`);
  const header = await signWebhook({
    id: ID,
    timestampSeconds: NOW,
    body: BODY,
    secrets: [],
    signingKeys: [toSigningKey(privateKey)],
  });
  const [scheme, signature] = header.split(",") as [string, string];
  assert.equal(scheme, "v1a");
  assert.ok(verify(null, content, publicKey, Buffer.from(signature, "base64")));
  const foreign = `v1a,${sign(null, content, privateKey).toString("base64")}`;
  const webhook = withHeader(await signed(), "webhook-signature", foreign);
  assert.equal(await verifyWebhook({ ...webhook, secrets: [], publicKeys: [toVerifyKey(publicKey)] }), "v1a");
});

test("one signature for each secret and key, in that order, separated by spaces [Standard Webhooks]", async () => {
  const keys = [makeKeyPair(), makeKeyPair()];
  const header = await signWebhook({
    id: ID,
    timestampSeconds: NOW,
    body: BODY,
    secrets: [SECRET, OTHER],
    signingKeys: keys.map(({ privateKey }) => toSigningKey(privateKey)),
  });
  const content = `${ID}.${NOW}.${BODY}`;
  const hmacs = [SECRET, OTHER].map((secret) => `v1,${createHmac("sha256", secret).update(content).digest("base64")}`);
  const ed25519 = keys.map(
    ({ privateKey }) => `v1a,${sign(null, Buffer.from(content), privateKey).toString("base64")}`,
  );
  assert.equal(header, [...hmacs, ...ed25519].join(" "));
});

test("one valid signature is enough, whatever others there are [Standard Webhooks]", async () => {
  const trusted = makeKeyPair();
  const keys = [makeKeyPair(), trusted].map(({ privateKey }) => toSigningKey(privateKey));
  const rotating = await signed({ secrets: [OTHER, SECRET], signingKeys: keys });
  assert.equal(await verifyWebhook(rotating), "v1");
  const publicKeys = [makeKeyPair().publicKey, trusted.publicKey].map(toVerifyKey);
  assert.equal(await verifyWebhook({ ...rotating, secrets: [], publicKeys }), "v1a");
  const among = `v2,x v1 v1,!! v1, , ${rotating.headers["webhook-signature"]}`;
  assert.equal(await verifyWebhook(withHeader(rotating, "webhook-signature", among)), "v1");
});

test("a signed webhook is accepted, and no part of it can be changed [decision E3]", async () => {
  const { privateKey, publicKey } = makeKeyPair();
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ minLength: 1, maxLength: 300 }),
      fc.nat(),
      fc.constantFrom("v1", "v1a"),
      async (body, at, scheme) => {
        const trust = scheme === "v1" ? { publicKeys: [] } : { secrets: [], publicKeys: [toVerifyKey(publicKey)] };
        const webhook = { ...(await signed({ body, signingKeys: [toSigningKey(privateKey)] })), ...trust };
        assert.equal(await verifyWebhook(webhook), scheme);
        const changed = body.with(at % body.length, (body[at % body.length] as number) ^ 1);
        const refused = refusedAt("webhook-signature");
        await assert.rejects(verifyWebhook({ ...webhook, body: changed }), refused);
        await assert.rejects(verifyWebhook({ ...webhook, body: body.slice(0, -1) }), refused);
        await assert.rejects(verifyWebhook(withHeader(webhook, "webhook-id", ID.replace("b1", "b2"))), refused);
        await assert.rejects(verifyWebhook(withHeader(webhook, "webhook-timestamp", String(NOW - 1))), refused);
      },
    ),
    { numRuns: 40 },
  );
});

test("a signature that is absent, shortened, of another scheme, secret or key is refused", async () => {
  const { privateKey, publicKey } = makeKeyPair();
  const webhook = await signed({ signingKeys: [toSigningKey(privateKey)] });
  const [v1, v1a] = (webhook.headers["webhook-signature"] as string).split(" ") as [string, string];
  const bytes = Buffer.from(v1.slice(3), "base64");
  const bad = {
    absent: undefined,
    nothing: null,
    empty: "",
    shortened: `v1,${bytes.subarray(0, 31).toString("base64")}`,
    lengthened: `v1,${Buffer.concat([bytes, Buffer.of(0)]).toString("base64")}`,
    noBytes: "v1,",
    hex: `v1,${bytes.toString("hex")}`,
    bare: v1.slice(3),
    capital: v1.replace("v1", "V1"),
    secondComma: v1.replace(",", ",,"),
    hmacAsKeySignature: v1.replace("v1,", "v1a,"),
    keySignatureAsHmac: v1a.replace("v1a,", "v1,"),
    untrustedKey: v1a,
  };
  const other = { ...webhook, publicKeys: [toVerifyKey(makeKeyPair().publicKey)] };
  for (const [name, header] of Object.entries(bad)) {
    const refused = refusedAt("webhook-signature");
    await assert.rejects(verifyWebhook(withHeader(other, "webhook-signature", header)), refused, name);
  }
  await assert.rejects(verifyWebhook({ ...webhook, secrets: [OTHER] }), refusedAt("webhook-signature"));
  await assert.rejects(verifyWebhook({ ...webhook, secrets: [] }), refusedAt("webhook-signature"));
  assert.equal(await verifyWebhook({ ...webhook, secrets: [], publicKeys: [toVerifyKey(publicKey)] }), "v1a");
});

test("a webhook is valid for 300 seconds before and after its timestamp [Standard Webhooks]", async () => {
  const webhook = await signed();
  for (const difference of [-300, -1, 0, 299, 300]) {
    assert.equal(await verifyWebhook({ ...webhook, nowSeconds: NOW + difference }), "v1", String(difference));
  }
  for (const difference of [-301, 301, 86_400]) {
    const late = verifyWebhook({ ...webhook, nowSeconds: NOW + difference });
    await assert.rejects(late, refusedAt("webhook-timestamp"), String(difference));
  }
});

test("a malformed id or timestamp is refused, also when it is signed", async () => {
  const ids = ["", "a.b", "a b", "ü", "x".repeat(257)];
  const timestamps = ["", "1.5", "-1", "1e9", " 1795000000", "01795000000", "NaN", "0x10", "1".repeat(13)];
  const forge = (id: string, timestamp: string) => ({
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${createHmac("sha256", SECRET).update(`${id}.${timestamp}.${BODY}`).digest("base64")}`,
  });
  const webhook = await signed();
  assert.equal(await verifyWebhook({ ...webhook, headers: forge("x".repeat(256), String(NOW)) }), "v1");
  for (const id of ids) {
    await assert.rejects(verifyWebhook({ ...webhook, headers: forge(id, String(NOW)) }), refusedAt("webhook-id"), id);
    await assert.rejects(signed({ id }), refusedAt("webhook-id"), id);
  }
  for (const timestamp of timestamps) {
    const forged = verifyWebhook({ ...webhook, headers: forge(ID, timestamp), nowSeconds: Number(timestamp) || 0 });
    await assert.rejects(forged, refusedAt("webhook-timestamp"), timestamp);
  }
  for (const timestampSeconds of [1.5, -1, Number.NaN, 1e13]) {
    await assert.rejects(signed({ timestampSeconds }), refusedAt("webhook-timestamp"), String(timestampSeconds));
  }
});

test("bytes cannot be moved from the body into the id [Standard Webhooks]", async () => {
  const webhook = await signed({ id: "a", body: `${NOW}.{}` });
  assert.equal(await verifyWebhook(webhook), "v1");
  const moved = { ...withHeader(webhook, "webhook-id", `a.${NOW}`), body: "{}" };
  await assert.rejects(verifyWebhook(moved), refusedAt("webhook-id"));
});

test("of a header full of signatures the first 16 of a scheme are tried", async () => {
  const webhook = await signed();
  const valid = webhook.headers["webhook-signature"] as string;
  const junk = Array.from({ length: 15 }, (_none, at) => `v1,${encodeBase64(new Uint8Array(32).fill(at))}`).join(" ");
  assert.equal(await verifyWebhook(withHeader(webhook, "webhook-signature", `${junk} ${valid}`)), "v1");
  const more = withHeader(webhook, "webhook-signature", `${junk} v1,AAAA ${valid}`);
  await assert.rejects(verifyWebhook(more), refusedAt("webhook-signature"));
});

test("a webhook secret is whsec_ and base64 of 24 to 64 bytes [decision E9]", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 24, maxLength: 64 }), (bytes) => {
      assert.deepEqual(parseWebhookSecret(encodeWebhookSecret(bytes)), bytes);
    }),
  );
  const secret = encodeWebhookSecret(SECRET);
  const bad = ["", "whsec_", SECRET.toString(), secret.slice(6), secret.toUpperCase(), `${secret} `, `${secret}!`];
  for (const text of [...bad, `whsec_${"A".repeat(31)}=`, `whsec_${Buffer.alloc(65).toString("base64")}`]) {
    const refused = (error: unknown) => error instanceof ProtocolError && error.code === "INVALID_WEBHOOK_SECRET";
    assert.throws(() => parseWebhookSecret(text), refused, text);
  }
  assert.throws(() => encodeWebhookSecret(new Uint8Array(23)));
  assert.throws(() => encodeWebhookSecret(new Uint8Array(65)));
});
