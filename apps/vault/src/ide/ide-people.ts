import type { EName } from "@dataspace/protocol/ename";

/** A person of the development stack, whose vault the editor opens and as whom it signs. */
export interface IdePerson {
  readonly name: string;
  readonly ename: EName;
}

/** The people of the development stack. */
export interface IdePeople {
  readonly list: () => readonly IdePerson[];
  /**
   * Issues a wallet token of `person` for the vault of `owner`; undefined for the eName of anybody else.
   *
   * Source: decisions I4, P5.
   */
  readonly issueToken: (person: EName, owner: EName) => Promise<string | undefined>;
}
