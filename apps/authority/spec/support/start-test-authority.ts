import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { TestContext } from "node:test";
import { UpstreamError } from "@dataspace/clients/upstream-error";
import { buildSubmission, type SubmissionInput } from "@dataspace/platform-auth/signing/build-submission";
import { encodeBase64Url } from "@dataspace/protocol/base64url";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { decodePublicKey } from "@dataspace/protocol/public-key";
import { createLog } from "@dataspace/service-kit/log";
import { createMetrics } from "@dataspace/service-kit/monitoring/metrics";
import { readSigningKeys, type SigningKeys } from "@dataspace/service-kit/published-keys/signing-keys";
import { openTestDatabase, TEST_SERVER_SETTING, type TestDatabase } from "@dataspace/service-kit/testing/test-database";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey, type WalletKey } from "@dataspace/wallet/wallet-key";
import type { Submission } from "@dataspace/platform-auth/release-submission";
import { authorityMigrations } from "../../src/migrations.ts";
import { type AuthorityServerConfig, createAuthorityServer } from "../../src/server.ts";

/** The origin that certificates of these tests name. */
export const ISSUER = "https://authority.example";
/** The platform whose releases are submitted. */
export const PLATFORM: EName = parseEName("@11111111-2222-4333-8444-555555555555");

/** Somebody with a wallet: who submits, or who reviews. */
export interface Person {
  readonly ename: EName;
  readonly key: WalletKey;
  /** A fresh wallet token for the authority. */
  readonly token: () => Promise<string>;
}

/** An authority on a free port, with an author and a reviewer whose keys the registry certifies. */
export interface TestAuthority {
  readonly url: string;
  readonly database: TestDatabase;
  readonly author: Person;
  readonly reviewer: Person;
  readonly addPerson: (ename: string) => Promise<Person>;
  /** Certifies the key of a person of another authority. */
  readonly adopt: (person: Person) => void;
  /** Moves the authority's clock, in milliseconds. */
  readonly shift: (ms: number) => void;
  readonly sign: (change?: Partial<SubmissionInput>, person?: Person) => Promise<Submission>;
  readonly post: (path: string, body: unknown, token?: string) => Promise<Answer>;
  readonly get: (path: string, token?: string) => Promise<Answer>;
  /** Submits a release and gives the submission's id. */
  readonly submit: (change?: Partial<SubmissionInput>, person?: Person) => Promise<string>;
  /** Has the reviewer grant a submission; `change` replaces members of the decision. */
  readonly grant: (id: string, change?: object) => Promise<Answer>;
}

/** An answer: its status, its text, and the JSON of it where it is JSON. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at members of many shapes.
  readonly body: any;
}

/** What a test may choose. */
export interface TestAuthorityOptions extends Partial<AuthorityServerConfig> {
  readonly database?: TestDatabase;
  /** Whether the registry answers. */
  readonly isRegistryUp?: () => boolean;
  /** Its issuer is its own address, as a browser needs it. */
  readonly isAtOwnAddress?: boolean;
}

/** Starts an authority with a database of its own, for as long as the test runs. */
export async function startTestAuthority(
  t: Pick<TestContext, "after">,
  options: TestAuthorityOptions = {},
): Promise<TestAuthority> {
  const { database: given, isRegistryUp = () => true, isAtOwnAddress = false, ...config } = options;
  const database = given ?? (await openTestDatabase(process.env[TEST_SERVER_SETTING], authorityMigrations));
  if (given === undefined) t.after(() => database[Symbol.asyncDispose]());
  let shiftMs = 0;
  const clock = { nowMs: () => Date.now() + shiftMs };
  const people = new Map<EName, WalletKey>();
  const log = createLog({ service: "authority", level: "silent", pretty: false });
  const metrics = createMetrics({ log, monotonicMs: () => performance.now() });
  const addPerson = async (text: string): Promise<Person> => {
    const ename = parseEName(text);
    const key = await createWalletKey();
    people.set(ename, key);
    return { ename, key, token: () => issueWalletToken({ key, clock }, { ename, audience: ISSUER }) };
  };
  const author = await addPerson("@33333333-3333-4333-8333-333333333333");
  const reviewer = await addPerson("@55555555-5555-4555-8555-555555555555");
  const port = isAtOwnAddress ? await findFreePort() : 0;
  const app = await createAuthorityServer(
    { database, clock, log, metrics, registry: createStubRegistry({ people, clock, isRegistryUp }) },
    {
      issuer: isAtOwnAddress ? `http://127.0.0.1:${port}` : ISSUER,
      reviewers: [reviewer.ename],
      signingKeys: createSigningKeys(),
      limits: { perAddress: 0, submissions: 0, signIns: 0 },
      sandboxUrl: () => undefined,
      trustedProxies: [],
      ...config,
    },
  );
  const url = await app.listen({ host: "127.0.0.1", port });
  t.after(() => app.close());
  const sign: TestAuthority["sign"] = (change, person = author) => {
    const input = { ...submissionOf(person.ename, clock.nowMs()), ...change };
    const keyBindingCertificate = JSON.stringify({ ename: input.signerEName, publicKey: person.key.publicKey });
    const signText = async (text: string) => encodeBase64Url(await person.key.sign(new TextEncoder().encode(text)));
    return buildSubmission(input, { sign: signText, publicKey: person.key.publicKey, keyBindingCertificate });
  };
  const post: TestAuthority["post"] = async (path, body, token) =>
    readAnswer(
      await fetch(`${url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...bearer(token) },
        body: JSON.stringify(body),
      }),
    );
  const submit: TestAuthority["submit"] = async (change, person) => {
    const { status, body, text } = await post("/submissions", await sign(change, person));
    if (status !== 201) throw new Error(text);
    return body.submissionId;
  };
  return {
    url,
    database,
    author,
    reviewer,
    addPerson,
    adopt: ({ ename, key }) => people.set(ename, key),
    shift: (ms) => {
      shiftMs = ms;
    },
    sign,
    post,
    submit,
    get: async (path, token) => readAnswer(await fetch(`${url}${path}`, { headers: bearer(token) })),
    grant: async (id, change) =>
      post(
        `/submissions/${id}/decision`,
        { decision: "granted", level: "L3", domains: ["social"], ...change },
        await reviewer.token(),
      ),
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Makes signing keys as the setting gives them. */
export function createSigningKeys(): SigningKeys {
  const jwk = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  const reading = readSigningKeys(JSON.stringify(jwk));
  if ("fault" in reading) throw new Error(reading.fault);
  return reading.keys;
}

/** What a submission says unless a test changes it. */
function submissionOf(signerEName: EName, nowMs: number): SubmissionInput {
  return {
    repositoryId: 7,
    repository: "https://git.example/notes",
    platformEName: PLATFORM,
    platformName: "Notes",
    releaseTag: "v1.4.0",
    version: "1.4.0",
    manifestCommitId: "a".repeat(40),
    domains: ["social", "files"],
    signerEName,
    issuedAt: new Date(nowMs).toISOString(),
    nonce: crypto.randomUUID(),
  };
}

interface StubRegistryDeps {
  readonly people: ReadonlyMap<EName, WalletKey>;
  readonly clock: { readonly nowMs: () => number };
  readonly isRegistryUp: () => boolean;
}

// The registry and the vaults are other services. The text of a certificate is its claims; the registry signs whatever names one
// of its people's keys.
function createStubRegistry({ people, clock, isRegistryUp }: StubRegistryDeps) {
  const assertUp = () => {
    if (!isRegistryUp()) throw new UpstreamError("unreachable", "The registry does not answer.");
  };
  return {
    keySet: {
      verify: async (certificate: unknown) => {
        assertUp();
        const iat = Math.floor(clock.nowMs() / 1000);
        const payload = { iat, exp: iat + 3_600, ...JSON.parse(String(certificate)) };
        return { header: { alg: "ES256", kid: "k" }, payload } as never;
      },
    },
    findCertifiedKeys: async (ename: EName) => {
      assertUp();
      const key = people.get(ename);
      if (key === undefined) return [];
      const { point } = decodePublicKey(key.publicKey);
      const iat = Math.floor(clock.nowMs() / 1000);
      const certificate = JSON.stringify({ ename, publicKey: key.publicKey, iat, exp: iat + 3_600 });
      return [{ publicKey: key.publicKey, point, expiresAtSeconds: iat + 3_600, certificate }];
    },
  };
}

function bearer(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined };
}
