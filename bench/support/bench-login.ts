import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { loginMigrations } from "@dataspace/login/migrations";
import { migrate } from "@dataspace/service-kit/postgres/migrations";
import type { BenchServer } from "./bench-server.ts";
import { type Child, startChild } from "./child.ts";
import { createLoginLoad, type LoginLoad } from "./login-client.ts";
import { LOGIN_CLIENT, LOGIN_PERSON, type LoginStart } from "./login-scene.ts";

/** A login server in a process of its own, with its load. */
export interface BenchLogin extends AsyncDisposable {
  readonly child: Child;
  readonly load: LoginLoad;
  readonly port: number;
}

const CONNECTIONS = 16;
const KID = "registry-1";

/** Starts the login connector on a database of its own. */
export async function startBenchConnector(server: BenchServer): Promise<BenchLogin> {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await server.createDatabase("login"));
  await migrate(database, loginMigrations);
  const { id, secret, redirectUri } = LOGIN_CLIENT;
  await database.query({
    text: `insert into login_client (client_id, owner, name, redirect_uris, secret_hash, created_at)
      values ($1, $2, 'Bench', $3, $4, now())`,
    values: [id, LOGIN_PERSON, [redirectUri], createHash("sha256").update(secret).digest("hex")],
  });
  const wallet = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const start = { databaseUrl: database.url, ...certify(wallet.publicKey) };
  return startLogin(opened.move(), start, wallet.privateKey);
}

/** Starts the protocol library alone. */
export async function startBareLibrary(): Promise<BenchLogin> {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return startLogin(new AsyncDisposableStack(), { certificate: "", keySet: {} }, privateKey);
}

async function startLogin(opened: AsyncDisposableStack, start: LoginStart, key: KeyObject): Promise<BenchLogin> {
  const child = opened.use(startChild("login-child.ts"));
  const { port } = await child.ask<{ readonly port: number }>("start", start);
  const load = createLoginLoad(port, { connections: CONNECTIONS, sign: (session) => signText(key, session) });
  opened.use(load);
  return { child, load, port, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

function certify(publicKey: KeyObject): Pick<LoginStart, "certificate" | "keySet"> {
  const registry = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const nowSeconds = Math.floor(Date.now() / 1000);
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  const key = `m${publicKey.export({ format: "der", type: "spki" }).toString("base64")}`;
  const claims = { ename: LOGIN_PERSON, publicKey: key, iat: nowSeconds, exp: nowSeconds + 3_600 };
  const input = `${encode({ alg: "ES256", kid: KID, typ: "JWT" })}.${encode(claims)}`;
  const signature = sign("sha256", Buffer.from(input), { key: registry.privateKey, dsaEncoding: "ieee-p1363" });
  const jwk = registry.publicKey.export({ format: "jwk" });
  return {
    certificate: `${input}.${signature.toString("base64url")}`,
    keySet: { keys: [{ ...jwk, kid: KID, alg: "ES256", use: "sig" }] },
  };
}

function signText(key: KeyObject, text: string): string {
  return sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }).toString("base64");
}
