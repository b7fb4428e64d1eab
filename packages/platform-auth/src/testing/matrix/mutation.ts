import type { Evidence } from "../../evidence.ts";
import type { LinkCode } from "../../link-entry.ts";
import type { TestPlatform } from "../test-platform.ts";

/** What is presented: the evidence as plain JSON, the challenge, its signature, and whom the answer addresses. */
export interface Presented {
  evidence: Record<string, unknown>;
  challenge: Record<string, unknown>;
  signature: string;
  audience: string;
}

/** What a change may use: the platform, an attacker's keys and names, and the servers. Times are milliseconds since the epoch. */
export interface Stage {
  readonly platform: TestPlatform;
  readonly attacker: { readonly platform: TestPlatform; readonly origin: string };
  readonly origin: string;
  readonly nowMs: number;
}

/**
 * One change of valid evidence: what it is, how it is made, and which links it fails with which codes, as
 * `1:key_mismatch 2:document_not_covered` with the links counted from 1.
 */
export type Mutation = readonly [
  name: string,
  fails: string,
  change: (presented: Presented, stage: Stage) => void | Promise<void>,
];

/** Reads the expectation of a mutation: the code of each link from 1 to 6. */
export function expectedCodes(fails: string): readonly LinkCode[] {
  const byLink = new Map(fails.split(" ").map((part) => part.split(":") as [string, LinkCode]));
  return [1, 2, 3, 4, 5, 6].map((link) => byLink.get(String(link)) ?? "ok");
}

/** Makes a change that sets a member of the evidence, by its path; undefined removes it. */
export function setting(path: string, value: unknown): Mutation[2] {
  return ({ evidence }) => {
    const names = path.split(".");
    const last = names.pop() as string;
    const holder = names.reduce((members, name) => members[name] as Record<string, unknown>, evidence);
    if (value === undefined) delete holder[last];
    else holder[last] = value;
  };
}

/** Gives evidence as a client would send it. */
export function asJson(evidence: Evidence): Record<string, unknown> {
  return JSON.parse(JSON.stringify(evidence));
}
