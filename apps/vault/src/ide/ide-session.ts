import type { EName } from "@dataspace/protocol/ename";
import type { IdePerson } from "./ide-people.ts";

/** Whose vault the editor asks, and who signs its requests. */
export interface IdeSession {
  readonly owner: EName;
  /** The eName of the demo person who signs; undefined: nobody of the stack signs. */
  readonly signer: EName | undefined;
}

/** The value of `as` with which no demo person signs. */
export const NO_SIGNER = "nobody";

/**
 * Decides who signs. In: `wanted`, the value of `as`; without it an owner who is a demo person signs.
 *
 * Out: the signer; undefined for nobody; "unknown" for any other eName. Refuses: never.
 */
export function chooseSigner(
  wanted: string | undefined,
  owner: EName,
  people: readonly IdePerson[],
): EName | "unknown" | undefined {
  if (wanted === NO_SIGNER) return undefined;
  const person = people.find(({ ename }) => ename === (wanted ?? owner));
  return person?.ename ?? (wanted === undefined ? undefined : "unknown");
}

/** The query of an address that opens this session. Refuses: never. */
export function sessionQuery({ owner, signer }: IdeSession): string {
  return new URLSearchParams({ ename: owner, as: signer ?? NO_SIGNER }).toString();
}
