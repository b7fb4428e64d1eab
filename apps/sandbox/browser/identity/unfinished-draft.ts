import { parseJson } from "@dataspace/clients/parse-json";
import { isEName } from "@dataspace/protocol/ename";
import type { ProvisionDraft } from "@dataspace/wallet/provision-draft";

/** The provisioning that is in progress or was interrupted, as the browser stores it. */
export interface UnfinishedDraft {
  readonly read: () => ProvisionDraft | undefined;
  readonly write: (draft: ProvisionDraft) => void;
  readonly remove: () => void;
}

const STORED_AT = "dataspace-sandbox-unfinished";

/** Opens it. Refuses: never; what cannot be read is ignored. Source: decision V17. */
export function openUnfinishedDraft(storage: Storage): UnfinishedDraft {
  return {
    read: () => toDraft(parseJson(storage.getItem(STORED_AT) ?? "")),
    write: (draft) => storage.setItem(STORED_AT, JSON.stringify(draft)),
    remove: () => storage.removeItem(STORED_AT),
  };
}

function toDraft(value: unknown): ProvisionDraft | undefined {
  const draft = (value ?? {}) as Partial<Record<string, unknown>>;
  const isText = (name: string): boolean => typeof draft[name] === "string";
  const isBegun = ["id", "verificationId", "publicKey", "namespace"].every(isText);
  const isStep =
    draft["step"] === "begun" ||
    (draft["step"] === "entropy" && isText("registryEntropy")) ||
    (draft["step"] === "vault" && isEName(draft["ename"]) && isText("vaultUrl"));
  return isBegun && isStep ? (value as ProvisionDraft) : undefined;
}
