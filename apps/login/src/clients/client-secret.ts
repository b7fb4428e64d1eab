import { createHash, randomBytes } from "node:crypto";

const SECRET_BYTES = 32;
const ID_BYTES = 16;

/** A new secret: its text, which is shown once, and its SHA-256 in hexadecimal, which is stored. */
export interface NewSecret {
  readonly secret: string;
  readonly secretHash: string;
}

/** Makes a secret of 256 random bits. Refuses: never. Source: S2 "Client". */
export function makeClientSecret(): NewSecret {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  return { secret, secretHash: createHash("sha256").update(secret).digest("hex") };
}

/** Makes a client id. Refuses: never. Source: S2 "Client". */
export function makeClientId(): string {
  return `ds_${randomBytes(ID_BYTES).toString("base64url")}`;
}
