import type { EName } from "@dataspace/protocol/ename";
import type { Action, Activity } from "../activity/activity.ts";
import { titleOfRecord } from "./known-ontologies.ts";
import type { VaultRecord } from "./record.ts";
import type { VaultConnection } from "./vault-connection.ts";

/** A record that the visitor has opened, with its current state. */
export interface OpenedRecord {
  readonly record: VaultRecord;
  readonly owner: EName;
  readonly activity: Activity;
  /** The vault for one action. Refuses: an Error when the identity's key is lost. */
  readonly vaultOf: (action: Action) => Promise<VaultConnection>;
  readonly title: () => string;
  /** The vault has a new state of the record. */
  readonly update: (record: VaultRecord) => void;
}

/** Makes it. In: `onUpdate` is called after each change. Refuses: never. */
export function openRecord(
  deps: Pick<OpenedRecord, "owner" | "activity" | "vaultOf">,
  first: VaultRecord,
  onUpdate: (record: VaultRecord) => void,
): OpenedRecord {
  let current = first;
  return {
    ...deps,
    get record() {
      return current;
    },
    title: () => titleOfRecord(current.parsed),
    update: (record) => {
      current = record;
      onUpdate(record);
    },
  };
}
