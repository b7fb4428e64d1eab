import type { JsonValue } from "@dataspace/protocol/meta-envelope";
import type { WalletKey } from "@dataspace/wallet/wallet-key";

/** Parties with a vault in the database under test, and two without: one with a vault on another host, one that nobody knows. */
export type Name = "ann" | "bob" | "eve" | "forge" | "guild" | "board" | "crew" | "club" | "elsewhere" | "ghost";

export type Payload = Readonly<Record<string, JsonValue>>;

/** One condition of a policy. Source: decision V11. */
export interface Condition {
  readonly ontology: string;
  readonly path: string;
  readonly op: ">=";
  readonly value: number;
  readonly issuer: string;
}

/** An access policy with every member. Source: decision V11. */
export interface Policy {
  readonly grants: readonly { readonly ename: string; readonly perms: number }[];
  readonly denials: { readonly enames: readonly string[]; readonly conditions: readonly Condition[] };
  readonly default_perms: number;
  readonly require: readonly (readonly Condition[])[];
}

/** One version, with what the write itself set and whether the owner of a vault with a key made it. */
export interface StoredVersion {
  readonly operation: "create" | "update" | "delete";
  readonly ontology: string;
  readonly payload: Payload;
  readonly said: Payload;
  readonly byOwner: boolean;
  /** Writes of the whole world in order. */
  readonly order: number;
}

/** What a binding document binds, and how it was sent. */
export interface StoredBinding {
  readonly type: "self" | "social_connection";
  readonly subject: string;
  readonly parties: readonly string[];
  readonly openedByOther: boolean;
  readonly signers: string[];
  /** The text that tells equal documents: what was signed, and the first signature. */
  readonly sent: string;
}

/** A record as the oracle knows it. */
export interface StoredRecord {
  readonly id: string;
  readonly place: number;
  ontology: string;
  payload: Payload;
  acl: readonly string[];
  policy: Policy | null;
  quarantined: boolean;
  removed: boolean;
  readonly versions: StoredVersion[];
  readonly binding?: StoredBinding;
  /** The bytes of a file that was uploaded with the record. */
  readonly content?: string;
}

/** A party: its eName, its keys in force, and its records by id. */
export interface Party {
  readonly name: Name;
  readonly ename: string;
  readonly hasVault: boolean;
  /** Whether its vault was provisioned less than ten minutes ago. */
  readonly fresh: boolean;
  readonly keys: WalletKey[];
  readonly records: Map<string, StoredRecord>;
}

/** Everything that the oracle knows. */
export interface World {
  readonly parties: ReadonlyMap<string, Party>;
  readonly byName: Readonly<Record<Name, Party>>;
  /** The JSON text of each reading's statement, signature and signer that its signer really signed. */
  readonly genuine: Set<string>;
  writes: number;
}

/** Who asks. */
export interface Caller {
  readonly kind: "person" | "legacy" | "anonymous";
  /** Of a person. */
  readonly ename: string | null;
  /** The platform name that a legacy token asserts. */
  readonly platform: string | null;
  readonly behalf: string | null;
  /** Whether a legacy token may write. */
  readonly writes: boolean;
  readonly bearer: boolean;
}

/** Permission bits. Source: decision V11. */
export const BITS = { READ: 1, CREATE: 2, UPDATE: 4, DELETE: 8 } as const;
export type Need = keyof typeof BITS;

export const BINDING = "b1d0a8c3-4e5f-6789-0abc-def012345678";
export const FILE = "ds-file-v1";
export const READING = "@6f1c1c52-5f0a-4a4e-9d5e-2f6f5f0f7a11";
export const MANIFESTS: readonly string[] = [
  "a8bfb7cf-3200-4b25-9ea9-ee41100f212e",
  "550e8400-e29b-41d4-a716-446655440003",
];

/** An eName in its one spelling. Source: decision I1. */
export function normal(text: unknown): string {
  if (typeof text !== "string") return "";
  const name = text.trim().toLowerCase();
  return name.startsWith("@") ? name : `@${name}`;
}

/** Is the caller the owner of this vault? A vault without a key has none. Source: decision V12. */
export function isOwner(party: Party, caller: Caller): boolean {
  return caller.kind === "person" && caller.ename === party.ename && party.keys.length > 0;
}
