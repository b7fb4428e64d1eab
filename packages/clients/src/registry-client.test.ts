import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { createProvisionerClient } from "./provisioner-client.ts";
import { createRegistryClient } from "./registry-client.ts";
import { createRegistryWriter } from "./registry-writer.ts";

const ENAME = parseEName("@5ecf7860-1190-592e-925a-b2c6e0f95ff0");
const ADDRESS = { ename: ENAME, uri: "http://127.0.0.1:4000", vault: "v1" };
const RESOLVED = { kind: "vault", ...ADDRESS, originalUri: ADDRESS.uri, resolved: false };

test("RegistryClient.resolve() asks with the eName encoded and gives the address without a trailing slash [S3 Registry calls]", async () => {
  const { fetch, asked } = answering(200, { ...RESOLVED, uri: `${ADDRESS.uri}/` });
  assert.deepEqual(await clientOf(fetch).resolve(ENAME), ADDRESS);
  assert.deepEqual(asked(), ["GET http://registry.example/resolve?dsid=%405ecf7860-1190-592e-925a-b2c6e0f95ff0"]);
});

test("RegistryClient.resolve() gives undefined only when the registry itself says that it knows no vault [V23]", async () => {
  const unknown = answering(404, { error: { code: "UNKNOWN_ENAME", message: "" } });
  assert.equal(await clientOf(unknown.fetch).resolve(ENAME), undefined);
  const elsewhere = answering(404, "<html>not found</html>");
  await assert.rejects(clientOf(elsewhere.fetch).resolve(ENAME), { name: "UpstreamError", code: "refused" });
});

test("RegistryClient.resolve() refuses an answer for another eName, of another kind or without a usable address [S3 Registry calls]", async () => {
  const other = "@11111111-1111-4111-8111-111111111111";
  const answers = [
    null,
    {},
    { ...RESOLVED, ename: other },
    { ...RESOLVED, kind: "software_version" },
    { ...RESOLVED, vault: 1 },
  ];
  for (const answer of [...answers, ...["", "vault", "ftp://x", 7].map((uri) => ({ ...RESOLVED, uri }))]) {
    const { fetch } = answering(200, answer);
    await assert.rejects(clientOf(fetch).resolve(ENAME), { code: "malformed" }, JSON.stringify(answer));
  }
});

test("RegistryClient asks for entropy and platform tokens and refuses an answer without a token [S3 Registry calls]", async () => {
  const { fetch, asked } = answering(200, { token: "t" });
  assert.equal(await clientOf(fetch).requestEntropy(), "t");
  assert.equal(await clientOf(fetch).requestPlatformToken("p"), "t");
  assert.deepEqual(asked(), [
    "GET http://registry.example/entropy",
    'POST http://registry.example/platforms/certification {"platform":"p"}',
  ]);
  await assert.rejects(clientOf(answering(200, { token: "" }).fetch).requestEntropy(), { code: "malformed" });
});

test("RegistryWriter sends the shared secret with every call and passes the registry's refusal on [X2]", async () => {
  const { fetch, asked, authorizations } = answering(200, { token: "t" });
  const writer = createRegistryWriter({ fetch }, { registryUrl: "http://registry.example", sharedSecret: "s3" });
  await writer.register(ADDRESS);
  await writer.changeAddress({ ename: ENAME, uri: ADDRESS.uri });
  await writer.withdraw(ENAME);
  assert.equal(await writer.certifyKey({ ename: ENAME, publicKey: "zKey" }), "t");
  assert.deepEqual(asked(), [
    `POST http://registry.example/register ${JSON.stringify(ADDRESS)}`,
    `PATCH http://registry.example/register ${JSON.stringify({ ename: ENAME, uri: ADDRESS.uri })}`,
    `DELETE http://registry.example/register?ename=${encodeURIComponent(ENAME)}`,
    `POST http://registry.example/key-binding-certificate ${JSON.stringify({ ename: ENAME, publicKey: "zKey" })}`,
  ]);
  assert.deepEqual(authorizations(), Array(4).fill("Bearer s3"));
  const taken = answering(409, { error: { code: "ENAME_TAKEN", message: "" } });
  const refused = createRegistryWriter(
    { fetch: taken.fetch },
    { registryUrl: "http://registry.example", sharedSecret: "s3" },
  );
  await assert.rejects(
    refused.register(ADDRESS),
    (error: { refusal?: { code?: string } }) => error.refusal?.code === "ENAME_TAKEN",
  );
});

test("ProvisionerClient.provision() gives eName and address, only for a successful answer [S1 POST /provision, V17]", async () => {
  const request = { registryEntropy: "e", namespace: "n", verificationId: "v", publicKey: "zKey" };
  const good = { success: true, dsid: ENAME, uri: ADDRESS.uri };
  const { fetch, asked } = answering(200, good);
  const provision = (given: typeof fetch): Promise<unknown> =>
    createProvisionerClient({ fetch: given }, { provisionerUrl: "http://vault.example" }).provision(request);
  assert.deepEqual(await provision(fetch), { dsid: ENAME, uri: ADDRESS.uri });
  assert.deepEqual(asked(), [`POST http://vault.example/provision ${JSON.stringify(request)}`]);
  for (const answer of [{ ...good, success: false }, { ...good, dsid: "x" }, { ...good, uri: "x" }, null]) {
    await assert.rejects(provision(answering(200, answer).fetch), { code: "malformed" });
  }
  const spent = answering(409, { success: false, error: { code: "ENTROPY_SPENT", message: "" }, existingDsid: ENAME });
  await assert.rejects(provision(spent.fetch), (error: { refusal?: { code?: string; body?: unknown } }) => {
    assert.equal(error.refusal?.code, "ENTROPY_SPENT");
    assert.partialDeepStrictEqual(error.refusal?.body, { existingDsid: ENAME });
    return true;
  });
});

function clientOf(fetch: ReturnType<typeof answering>["fetch"]): ReturnType<typeof createRegistryClient> {
  return createRegistryClient({ fetch }, { registryUrl: "http://registry.example" });
}

// A stub of the other party at the edge of `fetch`: one answer for every request, and a record of the requests.
function answering(status: number, answer: unknown) {
  const questions: { readonly text: string; readonly authorization: string | null }[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const body = init.body === undefined ? "" : ` ${init.body}`;
    const authorization = new Headers(init.headers).get("authorization");
    questions.push({ text: `${init.method} ${url}${body}`, authorization });
    return new Response(typeof answer === "string" ? answer : JSON.stringify(answer), { status });
  };
  return {
    fetch,
    asked: () => questions.map(({ text }) => text),
    authorizations: () => questions.map(({ authorization }) => authorization),
  };
}
