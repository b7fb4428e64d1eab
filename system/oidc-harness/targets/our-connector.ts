import { createHash, randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { makeSigningKeySet, type SigningKeySet } from "@dataspace/login/provider/signing-key-set";
import { createLoginServer, type LoginServerConfig } from "@dataspace/login/server";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { createLog } from "@dataspace/service-kit/log";
import { createMetrics } from "@dataspace/service-kit/monitoring/metrics";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { findFreePort } from "../find-free-port.ts";
import type { Target, TestClient } from "../target.ts";

/** The login connector under test. `signingKeys` are those of its ID tokens. */
export interface OurConnector extends Target {
  readonly url: string;
  readonly signingKeys: SigningKeySet;
}

/** What differs from the connector's defaults. `issuer` is another address than the one where it listens, such as a proxy's. */
export type ConnectorChanges = Partial<Pick<LoginServerConfig, "issuer" | "lifetimes">>;

/** Who signs in. */
export const PERSON: EName = parseEName("@11111111-2222-4333-8444-555555555555");
const PROFILE = { name: "Ada Lovelace", givenName: "Ada", familyName: "Lovelace", email: "ada@example.org" };

/**
 * Starts a login connector with two clients, on a database with its tables. The check of a wallet's signature is
 * replaced: it is not part of OpenID Connect.
 *
 * Refuses: the database's errors.
 */
export async function startOurConnector(database: Database, changes: ConnectorChanges = {}): Promise<OurConnector> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const { issuer = url } = changes;
  const signingKeys = makeSigningKeySet();
  let shiftMs = 0;
  const clock = { nowMs: () => Date.now() + shiftMs };
  const log = createLog({ service: "login", level: "silent", pretty: false });
  const metrics = createMetrics({ log, monotonicMs: () => performance.now() });
  const app = await createLoginServer(
    {
      database,
      clock,
      log,
      metrics,
      check: async ({ ename }) => ({
        signed: { ename, amr: "swk", signedAtSeconds: Math.floor(clock.nowMs() / 1000), profile: PROFILE },
      }),
      verifyWalletToken: () => Promise.reject(new Error("no module asks the management API")),
    },
    {
      platformName: "Dataspace Login",
      lifetimes: { session: 300, code: 60, token: 300 },
      limits: { pendingLogins: 1_000, startsPerMinute: 0, clientsPerHour: 10, perAddress: 0 },
      signingKeys,
      portalSecret: undefined,
      trustedProxies: [],
      sandboxUrl: () => undefined,
      ...changes,
      issuer,
    },
  );
  const [client, otherClient] = await Promise.all([addClient(database), addClient(database)]);
  await app.listen({ host: "127.0.0.1", port });
  return {
    issuer,
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    signingKeys,
    client,
    otherClient,
    signIn: async (browser, page) => {
      if (page.kind === "client") return page;
      const [, session = ""] = /session=([\w-]{43})/.exec(page.html) ?? [];
      const [, next = ""] = /data-next="([^"]+)"/.exec(page.html) ?? [];
      const body = JSON.stringify({ ename: PERSON, session, signature: "good" });
      await fetch(`${issuer}/ds/callback`, { method: "POST", headers: { "content-type": "application/json" }, body });
      return next === "" ? page : browser.open(new URL(next, page.url));
    },
    wait: async (seconds) => {
      shiftMs += seconds * 1_000;
    },
    [Symbol.asyncDispose]: async () => app.close(),
  };
}

/** Registers a client. In: where it receives codes, its own address at rp.example unless given. Refuses: the database's errors. */
export async function addClient(database: Database, redirectUri?: string): Promise<TestClient> {
  const id = `ds_${randomUUID()}`;
  const secret = createHash("sha256").update(id).digest("base64url");
  const address = redirectUri ?? `https://rp.example/${id}`;
  const client = { id, secret, redirectUri: address, otherRedirectUri: `${address}/other` };
  await database.query({
    text: `insert into login_client (client_id, owner, name, redirect_uris, secret_hash, created_at)
      values ($1, $2, 'Harness', $3, $4, now())`,
    values: [
      id,
      PERSON,
      [client.redirectUri, client.otherRedirectUri],
      createHash("sha256").update(secret).digest("hex"),
    ],
  });
  return client;
}
