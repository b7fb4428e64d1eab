import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { systemClock } from "@dataspace/service-kit/clock";
import { createUi } from "@dataspace/ui/ui";
import { createWalletKey, type WalletKey } from "@dataspace/wallet/wallet-key";
import { buildSchema, type GraphQLObjectType } from "graphql";
import { openDirectoryBlobStore } from "../src/files/directory-blob-store.ts";
import { issueRecoveryCode } from "../src/keys/recovery-codes.ts";
import { type Answer, askGraphQL } from "./support/ask.ts";
import { BINDING, self, signatureOf } from "./support/binding-documents.ts";
import { upload } from "./support/file-requests.ts";
import {
  CALLERS,
  type Caller,
  CREATION,
  EVERYBODY,
  EXIT_ROUTES,
  HANDSHAKE,
  NO_BEARERS,
  NOBODY,
  type Outcome,
  type Outcomes,
  OWNER_ALONE,
  PUBLIC_PATHS,
  reading,
  UNDER_ARRAY,
  underPolicy,
  writing,
} from "./support/matrix-outcomes.ts";
import { createPerson, type Person, platformHeaders } from "./support/people.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

interface Fixture {
  readonly owner: Person & { readonly second: WalletKey };
  readonly record: { readonly id: string; readonly envelopeId: string };
  readonly bindingId: string;
  /** Uploads a file as the owner, by default decided as the record is. */
  readonly uploadFile: (access?: object) => ReturnType<typeof upload>;
  readonly send: (query: string, variables?: object) => Promise<Answer>;
  /** Wallet tokens are for the owner's eName, or for the vault's origin where the route is an exit. */
  readonly request: (path: string, init?: RequestInit, isExit?: boolean) => Promise<Response>;
}

interface Row {
  /** By which record; an operation that is about none has one set of outcomes. */
  readonly expected: Outcomes | { readonly policy: Outcomes; readonly array: Outcomes };
  readonly run: (fixture: Fixture) => Promise<Outcome>;
}

const CREATE = `mutation ($input: MetaEnvelopeInput!) { createMetaEnvelope(input: $input) {
  metaEnvelope { id envelopes { id } } errors { code } } }`;
const INPUT = { ontology: "note", payload: { word: "pear" } };

/** The outcome of a GraphQL request whose field gives something with `of`, or a list of such. */
async function outcomeOf(answer: Answer, sees: (value: never) => boolean = Boolean): Promise<Outcome> {
  const { body, status } = answer;
  const code = body.errors?.[0]?.extensions?.code;
  if (status !== 200 || code !== undefined) return code === "NOT_FOUND" ? "hidden" : (code ?? `HTTP ${status}`);
  const value = Object.values(body.data)[0] as { errors?: readonly { code: string }[] } | null;
  const refused = value?.errors?.[0]?.code;
  if (refused !== undefined) return refused === "NOT_FOUND" ? "hidden" : refused;
  return sees(value as never) ? "yes" : "hidden";
}

const byId =
  (query: string, sees?: (value: never) => boolean): Row["run"] =>
  async ({ send, record }) =>
    outcomeOf(await send(query, { id: record.id, envelopeId: record.envelopeId }), sees);

type Nodes = { readonly edges: readonly { readonly node: { readonly id: string } }[] };
const inList =
  (query: string): Row["run"] =>
  async ({ send, record }) =>
    outcomeOf(await send(query), ((list: readonly { id: string }[] | Nodes) =>
      ("edges" in list ? list.edges.map(({ node }) => node) : list).some(
        ({ id }) => id === record.id || id === record.envelopeId,
      )) as never);

const UPDATE =
  'mutation ($id: ID!) { updateMetaEnvelope(id: $id, input: { ontology: "note", payload: {} }) { errors { code } } }';
const OLD_UPDATE =
  'mutation ($id: String!) { updateMetaEnvelopeById(id: $id, input: { ontology: "note", payload: {} }) { metaEnvelope { id } } }';
const BULK = `mutation { bulkCreateMetaEnvelopes(inputs: [{ ontology: "note", payload: {} }]) {
  results { success error } errors { code } } }`;
/** The binding document is the owner's about itself, so its array is the owner alone. */
const OF_OWNER: Outcomes = { ...UNDER_ARRAY, granted: "hidden" };
/** Of a key change, by HTTP status: whose wallet token or code it takes. */
const keys = (...taken: readonly Caller[]) =>
  Object.fromEntries(CALLERS.map((caller) => [caller, taken.includes(caller) ? "200" : "401"])) as Outcomes;
/** Whoever is let in may still have sent nothing useful. */
function exit(route: string): Row["run"] {
  const [method = "", path = ""] = route.split(" ");
  const init = { method, ...(method === "POST" && { body: "{}" }) };
  return async ({ request }) => ([401, 403].includes((await request(path, init, true)).status) ? "refused" : "yes");
}

function plain(path: string, method = "GET", body?: object): Row["run"] {
  const init = { method, ...(body && { body: JSON.stringify(body) }) };
  return async ({ request }) => ((await request(path, init)).ok ? "yes" : "refused");
}

function keyChange(method: "PATCH" | "DELETE"): Row["run"] {
  return async ({ request, owner }) => {
    const { publicKey } = method === "PATCH" ? await createWalletKey() : owner.second;
    const response = await request("/public-key", { method, body: JSON.stringify({ publicKey }) });
    return String(response.status);
  };
}

/** A file's own MetaEnvelope decides; to HEAD a refusal has no code. */
function file(method: "GET" | "HEAD"): Row {
  const byStatus = (outcomes: Outcomes) =>
    Object.fromEntries(
      Object.entries(outcomes).map(([caller, outcome]) => [caller, /^[A-Z]/.test(outcome) ? "401" : outcome]),
    ) as Outcomes;
  return {
    expected: { policy: byStatus(underPolicy("yes")), array: byStatus(UNDER_ARRAY) },
    run: async ({ request, uploadFile }) => {
      const { metaEnvelopeId } = await uploadFile();
      const { status } = await request(`/files/${metaEnvelopeId}`, { method, redirect: "manual" });
      return { 302: "yes", 404: "hidden" }[status] ?? String(status);
    },
  };
}

/** The stable address of a file that is open to everybody looks at no credential. */
function publicBlob(method: "GET" | "HEAD"): Row {
  return {
    expected: EVERYBODY,
    run: async ({ request, uploadFile }) => {
      const { publicUrl } = await uploadFile({ acl: ["*"] });
      return (await request(new URL(publicUrl as string).pathname, { method })).ok ? "yes" : "refused";
    },
  };
}

const ROWS: Readonly<Record<string, Row>> = {
  "Query.metaEnvelope": { expected: reading, run: byId("query ($id: ID!) { metaEnvelope(id: $id) { id } }") },
  "Query.metaEnvelopes": { expected: reading, run: inList("{ metaEnvelopes(first: 100) { edges { node { id } } } }") },
  "Query.metaEnvelopeHistory": {
    expected: reading,
    run: byId(
      "query ($id: ID!) { metaEnvelopeHistory(id: $id) { totalCount } }",
      (({ totalCount }: { totalCount: number }) => totalCount > 0) as never,
    ),
  },
  "Query.getMetaEnvelopeById": {
    expected: reading,
    run: byId("query ($id: String!) { getMetaEnvelopeById(id: $id) { id } }"),
  },
  "Query.findMetaEnvelopesByOntology": {
    expected: reading,
    run: inList('{ findMetaEnvelopesByOntology(ontology: "note") { id } }'),
  },
  "Query.searchMetaEnvelopes": {
    expected: reading,
    run: inList('{ searchMetaEnvelopes(ontology: "note", term: "pear") { id } }'),
  },
  "Query.getAllEnvelopes": { expected: reading, run: inList("{ getAllEnvelopes { id } }") },
  "Query.bindingDocument": {
    expected: OF_OWNER,
    run: async ({ send, bindingId }) => outcomeOf(await send(BINDING.read, { id: bindingId })),
  },
  "Query.bindingDocuments": {
    expected: OF_OWNER,
    run: async ({ send, bindingId }) =>
      outcomeOf(await send(BINDING.list, { first: 100 }), (({ edges }: Nodes) =>
        edges.some(({ node }) => node.id === bindingId)) as never),
  },
  "Mutation.createMetaEnvelope": {
    expected: CREATION,
    run: async ({ send }) => outcomeOf(await send(CREATE, { input: INPUT })),
  },
  "Mutation.updateMetaEnvelope": { expected: writing, run: byId(UPDATE) },
  "Mutation.removeMetaEnvelope": {
    expected: writing,
    run: byId("mutation ($id: ID!) { removeMetaEnvelope(id: $id) { success errors { code } } }"),
  },
  "Mutation.rollbackMetaEnvelope": {
    expected: writing,
    run: byId("mutation ($id: ID!) { rollbackMetaEnvelope(id: $id, version: 1) { version errors { code } } }"),
  },
  "Mutation.updateMetaEnvelopeById": { expected: writing, run: byId(OLD_UPDATE) },
  "Mutation.deleteMetaEnvelope": {
    expected: writing,
    run: byId("mutation ($id: String!) { deleteMetaEnvelope(id: $id) }"),
  },
  "Mutation.updateEnvelopeValue": {
    expected: writing,
    run: byId('mutation ($envelopeId: String!) { updateEnvelopeValue(envelopeId: $envelopeId, newValue: "plum") }'),
  },
  "Mutation.bulkCreateMetaEnvelopes": {
    // A caller who may not create gets a refusal per item; header mode is not a bearer token.
    expected: { ...CREATION, header: "UNAUTHENTICATED" },
    run: async ({ send }) => {
      const answer = await send(BULK);
      const item = answer.body.data?.bulkCreateMetaEnvelopes?.results[0];
      return item?.error?.split(":")[0] ?? outcomeOf(answer);
    },
  },
  "Mutation.storeMetaEnvelope": {
    // Open to all; what a stranger stores is seen by the owner alone until the owner touches it.
    expected: { ...EVERYBODY, ...NO_BEARERS },
    run: async ({ send }) =>
      outcomeOf(
        await send(
          "mutation ($input: MetaEnvelopeInput!) { storeMetaEnvelope(input: $input) { metaEnvelope { id } } }",
          {
            input: INPUT,
          },
        ),
      ),
  },
  "Mutation.createBindingDocument": {
    expected: CREATION,
    run: async ({ send, owner }) => {
      const saying = self(owner);
      return outcomeOf(
        await send(BINDING.create, { input: { ...saying, ownerSignature: await signatureOf(owner, saying) } }),
      );
    },
  },
  "Mutation.createBindingDocumentSignature": {
    // Whoever may read it may add a signature; a wallet only its own, and here the owner has signed already.
    expected: { ...OF_OWNER, owner: "ALREADY_SIGNED", platform: "ALREADY_SIGNED", header: "ALREADY_SIGNED" },
    run: async ({ send, owner, bindingId }) => {
      const signature = await signatureOf(owner, self(owner));
      return outcomeOf(await send(BINDING.sign, { input: { bindingDocumentId: bindingId, signature } }));
    },
  },
  "Mutation.uploadFile": {
    expected: CREATION,
    run: async ({ send }) =>
      outcomeOf(
        await send(
          'mutation { uploadFile(input: { filename: "a", contentType: "a/b", content: "" }) { uri errors { code } } }',
        ),
      ),
  },
  "GET /files/:id": file("GET"),
  "HEAD /files/:id": file("HEAD"),
  "GET /blobs/:owner/:blobKey": publicBlob("GET"),
  "HEAD /blobs/:owner/:blobKey": publicBlob("HEAD"),
  "GET /logs": {
    expected: { policy: { ...underPolicy("yes") }, array: UNDER_ARRAY },
    run: async ({ request, record }) => {
      const response = await request("/logs?limit=100");
      const { logs, error } = (await response.json()) as {
        logs: readonly { metaEnvelopeId: string }[];
        error?: { code: string };
      };
      if (error !== undefined) return error.code;
      return logs.some(({ metaEnvelopeId }) => metaEnvelopeId === record.id) ? "yes" : "hidden";
    },
  },
  "HEAD /logs": {
    expected: Object.fromEntries(
      CALLERS.map((caller) => [caller, caller === "anonymous" || caller in NO_BEARERS ? "refused" : "yes"]),
    ) as Outcomes,
    run: plain("/logs", "HEAD"),
  },
  "GET /platform-access": { expected: OWNER_ALONE, run: plain("/platform-access") },
  "HEAD /platform-access": { expected: OWNER_ALONE, run: plain("/platform-access", "HEAD") },
  "POST /pp-auth/challenge": { expected: EVERYBODY, run: plain("/pp-auth/challenge", "POST", {}) },
  "POST /pp-auth/verify": { expected: EVERYBODY, run: plain("/pp-auth/verify", "POST", HANDSHAKE) },
  "PATCH /public-key": { expected: keys("owner", "recovery"), run: keyChange("PATCH") },
  "DELETE /public-key": { expected: keys("owner"), run: keyChange("DELETE") },
  ...Object.fromEntries(
    [...PUBLIC_PATHS, ...createUi().files.keys()].flatMap((path) =>
      ["GET", "HEAD"].map((method) => [`${method} ${path}`, { expected: EVERYBODY, run: plain(path, method) }]),
    ),
  ),
  ...Object.fromEntries(
    EXIT_ROUTES.map((route) => [route, { expected: { ...NOBODY, owner: "yes" }, run: exit(route) }]),
  ),
  "GET /graphiql*": { expected: EVERYBODY, run: plain("/graphiql/app/styles.css") },
  "HEAD /graphiql*": { expected: EVERYBODY, run: plain("/graphiql/app/styles.css", "HEAD") },
  "GET /graphiql/frame": { expected: NOBODY, run: plain("/graphiql/frame") },
  "HEAD /graphiql/frame": { expected: NOBODY, run: plain("/graphiql/frame", "HEAD") },
  "POST /graphiql/token": { expected: NOBODY, run: plain("/graphiql/token", "POST", {}) },
  "OPTIONS /*": { expected: EVERYBODY, run: plain("/graphql", "OPTIONS") },
  "POST /graphql": {
    expected: { ...EVERYBODY, ...NO_BEARERS },
    run: async ({ send }) => outcomeOf(await send("{ __typename }")),
  },
};

let vault: TestVault;
let trusting: TestVault;
let people: Readonly<Record<"granted" | "reader" | "denied" | "stranger", Person>>;

before(async () => {
  const handshakes = { trustedCertifierIssuers: ["https://ppa.example"] };
  vault = await startVault({ auth: "enforced", ide: true, handshakes });
  const blobs = await openDirectoryBlobStore(vault.filesDirectory, "DS_FILES");
  const { database, registry } = vault;
  trusting = await startVault({ auth: "header", ide: true, handshakes }, { database, registry, blobs });
  const [granted, reader, denied, stranger] = await Promise.all([1, 2, 3, 4].map(() => createPerson(vault)));
  people = { granted: granted!, reader: reader!, denied: denied!, stranger: stranger! };
});
after(async () => {
  await trusting[Symbol.asyncDispose]();
  await vault[Symbol.asyncDispose]();
});

async function headersOf(
  caller: Caller,
  owner: Person,
  audience: string = owner.ename,
): Promise<Readonly<Record<string, string>>> {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const iat = Math.floor(Date.now() / 1000);
  switch (caller) {
    case "owner":
      return owner.at(audience);
    case "granted":
    case "reader":
    case "denied":
    case "stranger":
      return people[caller].at(audience);
    case "platform":
      return platformHeaders(vault);
    case "anonymous":
    case "header":
      return {};
    case "session":
      return bearer(`dss_${"A".repeat(43)}`);
    case "certificate":
      return bearer(vault.signAsRegistry({ ename: owner.ename, publicKey: owner.key.publicKey, iat, exp: iat + 600 }));
    case "entropy":
      return bearer(vault.signAsRegistry({ entropy: "A".repeat(20), iat, exp: iat + 600 }));
    case "service":
      return bearer("service-token-of-this-test-0123456789");
    case "recovery":
      return bearer(await issueRecoveryCode({ database: vault.database, clock: systemClock }, owner.ename));
  }
}

/** A new owner with two keys, a record that is decided as asked, a binding document, and a caller's way to ask about them. */
async function prepare(caller: Caller, under: "policy" | "array"): Promise<Fixture> {
  const [person, second] = await Promise.all([createPerson(vault), createWalletKey()]);
  const owner = { ...person, second };
  const grant = ({ ename }: Person, perms: number) => ({ ename, perms });
  const grants = [grant(owner, 15), grant(people.granted, 15), grant(people.reader, 1), grant(people.denied, 15)];
  const _acl = { grants, denials: { enames: [people.denied.ename] } };
  const access = under === "policy" ? { _acl } : { acl: [people.granted.ename] };
  const input = { ...INPUT, ...access };
  const asOwner = async (query: string, variables: object) =>
    (await askGraphQL(vault, owner.ename, query, variables, await owner.at(owner.ename))).body.data;
  const { metaEnvelope } = (await asOwner(CREATE, { input })).createMetaEnvelope;
  const saying = self(owner);
  const document = { input: { ...saying, ownerSignature: await signatureOf(owner, saying) } };
  const { metaEnvelopeId } = (await asOwner(BINDING.create, document)).createBindingDocument;
  const added = await fetch(`${vault.url}/public-key`, {
    method: "PATCH",
    headers: { "content-type": "application/json", "x-ename": owner.ename, ...(await owner.at(owner.ename)) },
    body: JSON.stringify({ publicKey: second.publicKey }),
  });
  assert.equal(added.status, 200);
  const at = caller === "header" ? trusting : vault;
  return {
    owner,
    record: { id: metaEnvelope.id, envelopeId: metaEnvelope.envelopes[0].id },
    bindingId: metaEnvelopeId,
    uploadFile: async (other = access) => upload(vault, owner.ename, other, await owner.at(owner.ename)),
    send: async (query, variables = {}) =>
      askGraphQL(at, owner.ename, query, variables, await headersOf(caller, owner)),
    request: async (path, init = {}, isExit = false) => {
      const type = init.body === undefined ? {} : { "content-type": "application/json" };
      const headers = {
        "x-ename": owner.ename,
        ...type,
        ...(await headersOf(caller, owner, isExit ? at.url : owner.ename)),
      };
      return fetch(at.url + path, { ...init, headers });
    },
  };
}

test("every operation of the schema and every route of the server has its row, and no row is of anything else [V-GUARD-001]", async () => {
  const schema = buildSchema(await (await fetch(`${vault.url}/schema.graphql`)).text());
  const fieldsOf = (type: GraphQLObjectType | null | undefined) =>
    Object.keys(type?.getFields() ?? {}).map((field) => `${type?.name}.${field}`);
  const operations = [...fieldsOf(schema.getQueryType()), ...fieldsOf(schema.getMutationType())];
  assert.deepEqual(Object.keys(ROWS).sort(), [...operations, ...vault.routes].sort());
});

for (const [name, { expected, run }] of Object.entries(ROWS)) {
  test(`${name} does for each kind of caller what its row says, under a policy and under an array [V-GUARD-001] [V-GUARD-011]`, async () => {
    const kinds = "policy" in expected ? (["policy", "array"] as const) : (["array"] as const);
    for (const kind of kinds) {
      const outcomes = "policy" in expected ? expected[kind] : expected;
      const came: Record<string, Outcome> = {};
      for (const caller of CALLERS) came[caller] = await run(await prepare(caller, kind));
      assert.deepEqual(came, outcomes, kind);
    }
  });
}
