import { createInTurn } from "@dataspace/service-kit/postgres/in-turn";
import type { EName } from "@dataspace/protocol/ename";
import type { PeopleStore } from "./store.ts";

/** What it looks in. `findProfile` reads the profile from the person's vault, and stores it. */
export interface AssurePersonDeps {
  readonly store: { readonly people: PeopleStore };
  readonly findProfile: (ename: EName) => Promise<number>;
}

/**
 * Makes what a login does: a profile that the person has already is used, and one is made only where there is none. Logins of
 * one person run one after the other, so that two at once make one profile.
 *
 * Refuses: the errors of the store and of `findProfile`.
 */
export function createAssurePerson({ store, findProfile }: AssurePersonDeps): (ename: EName) => Promise<void> {
  const inTurn = createInTurn();
  return (ename) =>
    inTurn(ename, async () => {
      if ((await store.people.findByEName(ename)) !== undefined) return;
      await findProfile(ename);
      if ((await store.people.findByEName(ename)) === undefined) await store.people.add(ename);
    });
}
