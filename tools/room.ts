// One room of the table: what tools/rooms.ts holds files against.

export type Room = {
  /** `workspace` or `workspace/inner`. */
  readonly room: string;
  /** Folder or file from the root; the longest one that holds a file decides. */
  readonly at: string;
  /** What the room is, in one sentence. */
  readonly says: string;
  /** Other rooms, types included. */
  readonly mayImport: readonly string[];
  /** Packages of others and Node's built-ins; `node:*` for all of those. Tests are free in this. */
  readonly outside: readonly string[];
  /** Whoever may import this room from another workspace may import its inner rooms too. */
  readonly opensInner?: true;
};

/** The packages that a service may use, by name. */
export const packages: readonly string[] = [
  "protocol",
  "access",
  "clients",
  "lanes",
  "service-kit",
  "wallet",
  "wallet-login",
];
