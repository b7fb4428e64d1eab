/** The record's content, by field. */
export type Payload = Readonly<Record<string, unknown>>;

/** A record of a vault, as this app shows it. */
export interface VaultRecord {
  readonly id: string;
  readonly ontology: string;
  readonly parsed: Payload;
  readonly _acl: unknown;
}

/** One version of a record; `parsed` is null where it was removed. */
export interface RecordVersion {
  readonly version: number;
  readonly operation: string;
  readonly parsed: Payload | null;
  readonly author: string | null;
  readonly requestingPlatform: string | null;
  readonly restoredFromVersion: number | null;
  readonly createdAt: string;
}

/** One page, and the cursor of the next one. */
export interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}
