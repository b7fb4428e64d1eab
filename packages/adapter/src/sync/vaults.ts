/** A record as a vault gives it. */
export interface VaultRecord {
  readonly id: string;
  readonly ontology: string;
  readonly parsed?: unknown;
}

/** What is written. `acl` is for creations only. */
export interface RecordInput {
  readonly ontology: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly acl?: readonly string[];
}

/** A record whose id the platform chooses. */
export interface BulkInput extends RecordInput {
  readonly id: string;
}

/** What became of one record of a bulk. */
export interface BulkOutcome {
  readonly index: number;
  readonly success: boolean;
  readonly code: string | undefined;
  readonly message: string | undefined;
}

/** A file as it is stored. */
export interface FileInput {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Uint8Array;
  readonly acl: readonly string[];
}

interface WriteOptions {
  readonly idempotencyKey: string;
}

/**
 * One owner's vault. Its calls reject with errors that have a `code` and, where the vault answered, its HTTP `status`, and try again
 * by themselves what passes. The client of @dataspace/vault-client is one.
 */
export interface OwnerVault {
  readonly create: (input: RecordInput, options: WriteOptions) => Promise<VaultRecord>;
  /** Creates records in bulk. Out: what became of each, in order; a refused one does not stop the others. */
  readonly createMany: (inputs: readonly BulkInput[]) => AsyncIterable<BulkOutcome>;
  /** Replaces the given top-level fields. */
  readonly update: (id: string, input: RecordInput) => Promise<unknown>;
  readonly get: (id: string) => Promise<VaultRecord | null>;
  readonly list: (
    filter: { readonly ontologyId: string },
    order: { readonly newestFirst: boolean },
  ) => AsyncIterable<VaultRecord>;
  readonly remove: (id: string) => Promise<unknown>;
  readonly uploadFile: (
    file: FileInput,
    options: WriteOptions,
  ) => Promise<{ readonly uri: string; readonly publicUrl: string | null }>;
}

/** Finds the vault of an owner. The clients of @dataspace/vault-client are one. Source: S3 "Vault client rules". */
export interface Vaults {
  readonly vault: (owner: string) => OwnerVault;
}

/** A vault's refusal that another attempt will not change. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** A refusal that a vault reports inside an answer, in the form that its client throws. */
export class VaultRefusal extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status: number) {
    super(message);
    this.name = "VaultRefusal";
    this.code = code;
    this.status = status;
  }
}

const PASSING: ReadonlySet<number> = new Set([401, 408, 409, 425, 429]);

/**
 * Tells a refusal that stays from a failure that passes.
 *
 * Out: undefined for whatever may pass: no answer, 5xx, 429, a token that has to be renewed. Refuses: never.
 */
export function findRefusal(error: unknown): Refusal | undefined {
  const { code, status, message } = error as {
    readonly code?: unknown;
    readonly status?: unknown;
    readonly message?: unknown;
  };
  if (typeof code !== "string" || typeof status !== "number") return undefined;
  if (status < 200 || (status >= 300 && status < 400) || status >= 500 || PASSING.has(status)) return undefined;
  return { code, message: String(message) };
}

/** Whether an error says that a record is not there. Refuses: never. */
export function isNotFound(error: unknown): boolean {
  return findRefusal(error)?.code === "NOT_FOUND";
}

/** Whether an error says that the credential is missing or not accepted. Refuses: never. */
export function isUnauthorized(error: unknown): boolean {
  return (error as { readonly status?: unknown }).status === 401;
}
