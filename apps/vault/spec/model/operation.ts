import type { JsonValue } from "@dataspace/protocol/meta-envelope";

/** Who asks, as a model draws it: who it is and what it proves it with. */
export type Role = "owner" | "listed" | "stranger" | "platform" | "reader" | "anonymous" | "asserted";

/** An access policy as a caller writes it; `null` takes it away. Source: decision V11. */
export interface PolicyInput {
  readonly grants?: readonly { readonly ename: string; readonly perms: number }[];
  readonly denials?: { readonly enames: readonly string[] };
  readonly default_perms?: number;
  readonly require?: readonly (readonly never[])[];
}

/** The input of a create or an update. */
export interface Input {
  readonly ontology: string;
  readonly payload: JsonValue;
  readonly acl?: readonly string[] | null;
  readonly _acl?: PolicyInput | null;
}

/** A search as S1 "metaEnvelopes filter" has it. */
export interface Search {
  readonly term: string;
  readonly caseSensitive?: boolean;
  readonly fields?: readonly string[];
  readonly mode?: "CONTAINS" | "STARTS_WITH" | "EXACT";
}

/** A filter; an absent member does not filter. */
export interface Filter {
  readonly ontologyId?: string;
  readonly search?: Search;
}

/** A cursor to send: its text, and the place in the list that it stands for, or undefined where it must not be accepted. */
export interface SentCursor {
  readonly text: string;
  readonly place: number | undefined;
}

/** One operation of the record surface with everything it sends. */
export type Operation =
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
  | { readonly do: "read" | "getById"; readonly id: string }
  | ({ readonly do: "list"; readonly filter: Filter } & Paging)
  | { readonly do: "find"; readonly ontology: string }
  | { readonly do: "search"; readonly ontology: string; readonly term: string }
  | { readonly do: "all" }
  | ({ readonly do: "history"; readonly id: string } & Paging)
  | ({ readonly do: "logs" } & Paging);

/** One page asked for; `backward` is `last` and `before`. */
export interface Paging {
  readonly size: number | undefined;
  readonly backward?: boolean;
  readonly cursor?: SentCursor | undefined;
}

/** What the spec says of an answer: its value, or refused with one of these codes where it does not say which comes first. */
export type Expected = { readonly value: unknown } | { readonly refused: readonly string[] };

/** Who asks, as far as the spec's rules are concerned. */
export interface Asker {
  readonly kind: "anonymous" | "person" | "platform";
  readonly ename: string | null;
  readonly platform: string | null;
  /** What is recorded as author. */
  readonly author: string | null;
  readonly onBehalfOf: string | null;
  /** Whether a platform token may write. */
  readonly writes: boolean;
  /** Whether it carries a bearer token. */
  readonly bearer: boolean;
}
