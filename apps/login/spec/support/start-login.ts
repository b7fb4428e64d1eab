import { createHash } from "node:crypto";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import type { TestContext } from "node:test";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { createLog, type Log } from "@dataspace/service-kit/log";
import { createMetrics } from "@dataspace/service-kit/monitoring/metrics";
import { openTestDatabase, TEST_SERVER_SETTING, type TestDatabase } from "@dataspace/service-kit/testing/test-database";
import type { VerifyWalletToken } from "@dataspace/clients/verify-wallet-token";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { CheckLogin } from "../../src/logins/check-login.ts";
import { loginMigrations } from "../../src/migrations.ts";
import { createLoginServer, type LoginServerConfig } from "../../src/server.ts";

/** Somebody with a wallet. */
export const ADA: EName = parseEName("@11111111-2222-4333-8444-555555555555");
/** The secret and the address of the client of these tests. */
export const CLIENT = {
  id: "ds_client",
  secret: "a-client-secret",
  redirectUri: "https://rp.example/callback",
  name: "Notes",
};
/** A PKCE verifier, and its S256 challenge. */
const VERIFIER = "a-verifier-of-forty-three-characters-or-more-0123";
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

/** A login connector on a free port, with one client. */
export interface TestLogin {
  readonly url: string;
  readonly database: TestDatabase;
  readonly setNow: (ms: number) => void;
  /** The connector's metrics at the time of the call. */
  readonly metrics: () => Promise<string>;
  readonly close: () => Promise<void>;
  /** Fetches a path without following redirects. */
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  /** Opens /authorize as a browser; `more` adds or replaces parameters, undefined removes one. */
  readonly authorize: (
    more?: Record<string, string | undefined>,
    headers?: Record<string, string>,
  ) => Promise<OpenedLogin>;
  readonly callback: (body: unknown) => Promise<Response>;
  readonly token: (code: string, more?: Record<string, string | undefined>) => Promise<Response>;
}

/** What a browser has after /authorize. */
export interface OpenedLogin {
  readonly response: Response;
  readonly page: string;
  readonly cookie: string;
  readonly session: string;
  readonly id: string;
}

/** What a test may choose. The wallet's check believes the signature `good` unless it is replaced. */
export interface Choices extends Partial<LoginServerConfig> {
  readonly check?: CheckLogin;
  readonly verifyWalletToken?: VerifyWalletToken;
  readonly log?: Log;
  /** The database of an earlier connector, whose client it has. */
  readonly database?: TestDatabase;
  readonly requireEmail?: boolean;
  /** Replaces the connector's database, such as by a slow one. */
  readonly wrapDatabase?: (database: Database) => Database;
}

const believesGood: CheckLogin = async ({ ename, signature }) =>
  signature === "good"
    ? { signed: { ename, amr: "swk", signedAtSeconds: Math.floor(Date.now() / 1000), profile: {} } }
    : { failure: "bad_signature" };

const refusesTokens: VerifyWalletToken = () => Promise.reject(new Error("this test expects no wallet token"));
const silent = createLog({ service: "login", level: "silent", pretty: false });

/** Starts a connector with a database of its own, for as long as the test runs. */
export async function startLogin(
  t: TestContext,
  {
    check = believesGood,
    verifyWalletToken = refusesTokens,
    log = silent,
    requireEmail = false,
    wrapDatabase = (wrapped) => wrapped,
    database: given,
    ...more
  }: Choices = {},
): Promise<TestLogin> {
  const database = given ?? (await openTestDatabase(process.env[TEST_SERVER_SETTING], loginMigrations));
  if (given === undefined) t.after(() => database[Symbol.asyncDispose]());
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  let shiftMs = 0;
  const clock = { nowMs: () => Date.now() + shiftMs };
  // Each reading is later than the last by more than figures stay fresh.
  let monotonicMs = 0;
  const metrics = createMetrics({ log, monotonicMs: () => (monotonicMs += 10_000) });
  const app = await createLoginServer(
    { database: wrapDatabase(database), clock, log, metrics, check, verifyWalletToken },
    {
      issuer: url,
      platformName: "Dataspace Login",
      lifetimes: { session: 300, code: 60, token: 300 },
      limits: { pendingLogins: 12_000, startsPerMinute: 0, clientsPerHour: 10, perAddress: 0 },
      signingKeys: undefined,
      portalSecret: undefined,
      trustedProxies: [],
      sandboxUrl: () => undefined,
      ...more,
    },
  );
  await app.listen({ port, host: "127.0.0.1" });
  t.after(() => app.close());
  if (given === undefined) await addClient(database, requireEmail);
  const get: TestLogin["get"] = (path, headers = {}) => fetch(`${url}${path}`, { redirect: "manual", headers });
  return {
    url,
    database,
    close: () => app.close(),
    metrics: () => metrics.write(),
    setNow: (ms) => {
      shiftMs = ms - Date.now();
    },
    get,
    authorize: async (given = {}, headers = {}) => {
      const parameters = {
        client_id: CLIENT.id,
        redirect_uri: CLIENT.redirectUri,
        response_type: "code",
        scope: "openid profile email",
        state: "a state",
        nonce: "a-nonce",
        code_challenge: CHALLENGE,
        code_challenge_method: "S256",
        ...given,
      };
      const query = new URLSearchParams(
        Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
      );
      const response = await get(`/authorize?${query}`, { accept: "text/html", ...headers });
      const page = await response.text();
      return {
        response,
        page,
        cookie: (response.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "",
        session: /session=([A-Za-z0-9_-]{43})/.exec(page)?.[1] ?? "",
        id: /data-next="\/login\/([^"]+)"/.exec(page)?.[1] ?? "",
      };
    },
    callback: (body) =>
      fetch(`${url}/ds/callback`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    token: (code, given = {}) => {
      const parameters = {
        grant_type: "authorization_code",
        code,
        redirect_uri: CLIENT.redirectUri,
        code_verifier: VERIFIER,
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        ...given,
      };
      const body = new URLSearchParams(
        Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
      );
      return fetch(`${url}/token`, { method: "POST", body });
    },
  };
}

/** Signs a login and lets its browser collect the code. Out: what the client's address was given. */
export async function logIn(login: TestLogin, opened: OpenedLogin, ename: EName = ADA): Promise<URLSearchParams> {
  const answered = await login.callback({ ename, session: opened.session, signature: "good" });
  if (answered.status !== 200) throw new Error(`the callback answered ${answered.status}: ${await answered.text()}`);
  const led = await login.get(`/login/${opened.id}`, { cookie: opened.cookie });
  return new URL(led.headers.get("location") ?? "about:blank").searchParams;
}

async function addClient(database: TestDatabase, requireEmail: boolean): Promise<void> {
  const hash = createHash("sha256").update(CLIENT.secret).digest("hex");
  await database.query({
    text: `insert into login_client (client_id, owner, name, redirect_uris, require_email, secret_hash, created_at)
      values ($1, $2, $3, $4, $5, $6, now())`,
    values: [CLIENT.id, ADA, CLIENT.name, [CLIENT.redirectUri], requireEmail, hash],
  });
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
