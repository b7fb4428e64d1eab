import { generateKeyPairSync, type KeyObject, randomUUID, sign, verify } from "node:crypto";
import { parseCompactJws } from "@dataspace/protocol/compact-jws";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { decodePublicKey } from "@dataspace/protocol/public-key";
import { systemClock } from "@dataspace/service-kit/clock";
import { listen } from "@dataspace/service-kit/listen";
import { createLog } from "@dataspace/service-kit/log";
import { migrate } from "@dataspace/service-kit/migrations";
import { createSecret } from "@dataspace/service-kit/secret";
import { openTestDatabase, TEST_SERVER_SETTING, type TestDatabase } from "@dataspace/service-kit/test-database";
import { createVaultServer, type VaultServerConfig } from "../../src/server.ts";
import { createVault } from "../../src/store/vault-rows.ts";

/** A vault on a free port with a database of its own, and the registry's key in the test's hands. */
export interface TestVault extends AsyncDisposable {
  readonly url: string;
  readonly database: TestDatabase;
  /** Makes a vault for a new owner, with the given public key if any. */
  readonly createOwner: (publicKey?: string) => Promise<EName>;
  /** Signs a token as the registry does. */
  readonly signAsRegistry: (payload: object, header?: object) => string;
  /** How often the registry was asked for a certificate; set `down` to make it unreachable; `elsewhere` are other eNames it knows. */
  readonly registry: { certificatesAsked: number; down: boolean; readonly elsewhere: Set<string> };
}

const MIGRATIONS = new URL("../../src/store/migrations/", import.meta.url);

/** Starts a vault. In: what differs from `DS_VAULT_AUTH=header` with legacy tokens accepted. */
export async function startVault(changes: Partial<VaultServerConfig> = {}): Promise<TestVault> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await openTestDatabase(process.env[TEST_SERVER_SETTING]));
  await migrate(database, { service: "vault", directory: MIGRATIONS });
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const registry = { certificatesAsked: 0, down: false, elsewhere: new Set<string>() };
  const signAsRegistry = (payload: object, header: object = {}) => signJws(keys.privateKey, payload, header);
  const app = createVaultServer(
    {
      database,
      clock: systemClock,
      log: createLog({ service: "vault", level: "silent", pretty: false }),
      registry: {
        certifyKey: async (binding) => {
          registry.certificatesAsked += 1;
          if (registry.down) throw new Error("the registry is down");
          const iat = Math.floor(Date.now() / 1000);
          return signAsRegistry({ ...binding, iat, exp: iat + 3600 });
        },
        verifySignature: async (text) => {
          if (registry.down) throw new Error("the registry is down");
          return verifyJws(keys.publicKey, text);
        },
        isKnown: async (ename) => {
          if (registry.down) throw new Error("the registry is down");
          return registry.elsewhere.has(ename);
        },
        hasSigned: async () => false,
      },
    },
    {
      auth: "header",
      legacyTokens: "accept",
      anonymousStore: "quarantine",
      unpagedCap: 10_000,
      secret: createSecret("a secret that only this test knows, 0123456789"),
      serviceToken: createSecret("service-token-of-this-test-0123456789"),
      cors: { origins: "any" },
      introspection: true,
      ide: false,
      compileFrom: Number(process.env["DS_TEST_COMPILE_FROM"] ?? 3),
      ...changes,
    },
  );
  stack.defer(async () => {
    await app.close();
  });
  const { url } = await listen(app, { host: "127.0.0.1", port: 0, portSetting: "DS_VAULT_PORT" });
  const owned = stack.move();
  return {
    url,
    database,
    createOwner: (publicKey) => createOwner(database, publicKey),
    signAsRegistry,
    registry,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function createOwner(database: TestDatabase, publicKey: string | undefined): Promise<EName> {
  const owner = parseEName(randomUUID());
  const key = publicKey === undefined ? undefined : { text: publicKey, point: pointHex(publicKey) };
  const at = new Date().toISOString();
  await database.transaction((tx) => createVault(tx, { owner, vaultId: `@${randomUUID()}`, publicKey: key, at }));
  return owner;
}

function pointHex(publicKey: string): string {
  return Buffer.from(decodePublicKey(publicKey).point).toString("hex");
}

function signJws(key: KeyObject, payload: object, header: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const input = `${part({ alg: "ES256", kid: "test", ...header })}.${part(payload)}`;
  return `${input}.${sign("sha256", Buffer.from(input), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}

function verifyJws(key: KeyObject, text: string) {
  const { payload, signingInput, signature } = parseCompactJws(text);
  if (verify("sha256", signingInput, { key, dsaEncoding: "ieee-p1363" }, signature)) return { payload };
  throw new ProtocolError("INVALID_TOKEN", "no key of the registry signed this token");
}
