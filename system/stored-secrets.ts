import { generateKeyPairSync, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const DIRECTORY = "secrets";
const SECRET_BYTES = 32;

/** The form of a stored secret: text, or a private JWK of P-256 or of Ed25519. */
export type SecretKind = "secret" | "signing-key" | "ed25519-key";

const MAKERS: Readonly<Record<SecretKind, () => string>> = {
  secret: () => randomBytes(SECRET_BYTES).toString("base64url"),
  "signing-key": () =>
    JSON.stringify(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })),
  "ed25519-key": () => JSON.stringify(generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })),
};

/**
 * Stores the development stack's secrets. The first start creates each in a file of its own (0600) in the data
 * directory; later starts read it.
 *
 * In: the data directory, whose lock the caller holds, and the form of each secret, by setting. Out: the secrets by
 * setting.
 * Refuses: never by itself. Source: decisions, "The development stack".
 */
export function storeSecrets(
  dataDirectory: string,
  kinds: Readonly<Record<string, SecretKind>>,
): Readonly<Record<string, string>> {
  const directory = join(dataDirectory, DIRECTORY);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, keepSecret(join(directory, name), MAKERS[kind])]),
  );
}

function keepSecret(file: string, make: () => string): string {
  if (existsSync(file)) return readFileSync(file, "utf8");
  const text = make();
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  return text;
}
