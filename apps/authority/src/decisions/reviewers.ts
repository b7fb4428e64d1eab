import type { EName } from "@dataspace/protocol/ename";

/** Who may decide: these eNames, or whoever has a wallet, which is for development alone. Source: decision A6. */
export type Reviewers = readonly EName[] | "anybody";

/** Checks whether an eName may decide. Refuses: never. Source: decision A6. */
export function mayReview(reviewers: Reviewers, ename: EName): boolean {
  return reviewers === "anybody" || reviewers.includes(ename);
}
