import type { JsonValue } from "@dataspace/protocol/meta-envelope";
import type { WalletKey } from "@dataspace/wallet/wallet-key";
import type { SentSignature } from "../support/binding-documents.ts";
import type { Caller, Party, Payload, Policy } from "./world.ts";

/** The input of a create or an update. */
export interface Input {
  readonly ontology: string;
  readonly payload: Payload;
  readonly acl?: readonly string[];
  readonly _acl?: Policy | null;
}

/** A binding document as it is sent, with whether its signature is its signer's own. */
export interface SentDocument {
  readonly subject: string;
  readonly type: "self" | "social_connection";
  readonly data: Payload;
  readonly ownerSignature: SentSignature;
}

/** One operation of the vault with everything it sends. */
export type Act =
  | { readonly do: "create" | "store"; readonly input: Input }
  | { readonly do: "update" | "updateById"; readonly id: string; readonly input: Input }
  | { readonly do: "remove" | "deleteById"; readonly id: string }
  | { readonly do: "rollback"; readonly id: string; readonly version: number }
  | {
      readonly do: "bulk";
      readonly inputs: readonly (Input & { readonly id?: string })[];
      readonly skipWebhooks: boolean;
    }
  | { readonly do: "updateValue"; readonly id: string; readonly field: string; readonly newValue: JsonValue }
  | { readonly do: "read" | "getById" | "file"; readonly id: string }
  | { readonly do: "list"; readonly filter: Filter; readonly size: 100 }
  | { readonly do: "find"; readonly ontology: string }
  | { readonly do: "search"; readonly ontology: string; readonly term: string }
  | { readonly do: "all" | "bindings" }
  | { readonly do: "history"; readonly id: string; readonly size: 100 }
  | { readonly do: "logs"; readonly size: 100 }
  | { readonly do: "upload"; readonly input: Omit<Input, "ontology" | "payload">; readonly content: string }
  | { readonly do: "bind"; readonly input: SentDocument; readonly isGenuine: boolean }
  | { readonly do: "sign"; readonly id: string; readonly signature: SentSignature; readonly isGenuine: boolean }
  | { readonly do: "addKey" | "removeKey"; readonly key: WalletKey; readonly asService: boolean };

/** A filter of a list. */
export interface Filter {
  readonly ontologyId?: string;
  readonly search?: { readonly term: string };
}

export type Of<Name extends Act["do"]> = Extract<Act, { do: Name }>;

/** The servers on one database, by what differs. */
export type ServerName = "quarantine" | "allow" | "deny" | "header" | "readOnly";

/** One request: who asks whose vault, at which server, to do what. */
export interface Request {
  readonly party: Party;
  readonly caller: Caller;
  readonly server: ServerName;
  readonly act: Act;
}

const READS = ["read", "getById", "file", "list", "find", "search", "all", "bindings", "history", "logs"];

/** Does the act write? */
export function isWriting({ do: name }: Act): boolean {
  return !READS.includes(name);
}
