// One room of the table that tools/rooms.ts checks.

export type Room = {
  /** `workspace` or `workspace/inner`. */
  readonly room: string;
  /** Folder or file from the root; the longest match decides. */
  readonly at: string;
  /** The room's purpose, in one sentence. */
  readonly says: string;
  /** Other rooms, types included. */
  readonly mayImport: readonly string[];
  /** Third-party packages and Node's built-ins; `node:*` allows all built-ins. Tests may use any. */
  readonly outside: readonly string[];
  /** Workspaces that may import this room may import its inner rooms too. */
  readonly opensInner?: true;
};

/** The packages that a service may use, by name. */
export const packages: readonly string[] = [
  "protocol",
  "access",
  "clients",
  "clients/verify-ecdsa",
  "outgoing",
  "lanes",
  "service-kit",
  "wallet",
  "wallet-login",
  "platform-auth",
];
