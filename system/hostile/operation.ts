import type { RawRequest } from "./raw-http.ts";

/** One operation of a service, with an example of each input. Attacks are derived from the example. */
export interface Operation {
  readonly service: string;
  readonly origin: string;
  /** `POST /register`, or `POST /graphql createMetaEnvelope`. */
  readonly name: string;
  readonly method: string;
  /** As the server has it: `:id` is a part that varies. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: BodyExample | undefined;
  /** Of the callers that `callers.ts` makes, those to attack as. */
  readonly callers: readonly CallerName[];
}

/** A body: JSON, or the fields of a form. `fixed` members of it are never changed. */
export interface BodyExample {
  readonly kind: "json" | "form";
  readonly value: Readonly<Record<string, unknown>>;
  readonly fixed: readonly string[];
}

/** The callers. `nobody` sends no credential; `forger` an invalid one. */
export type CallerName =
  | "nobody"
  | "forger"
  | "owner"
  | "stranger"
  | "legacy platform"
  | "api key"
  | "consumer wallet"
  | "ingest secret"
  | "registry secret"
  | "provisioning token"
  | "access token";

/** The parts of a request that an attack may replace. Each is text as it is sent, already percent-encoded where it has to be. */
export interface Parts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | undefined;
}

/** The parts of the example itself. Refuses: never. */
export function exampleParts({ params, query, headers, body }: Operation): Parts {
  const type = body?.kind === "form" ? "application/x-www-form-urlencoded" : "application/json";
  return {
    params: encodeAll(params),
    query: encodeAll(query),
    headers: [...Object.entries(headers), ...(body === undefined ? [] : [["Content-Type", type] as const])],
    body: body === undefined ? undefined : Buffer.from(writeBody(body)),
  };
}

/** Makes the request of an operation with these parts. Refuses: never. */
export function toRequest(operation: Operation, { params, query, headers, body }: Parts): RawRequest {
  const path = operation.path.replaceAll(/:(\w+)|\*/g, (_all, name: string | undefined) => params[name ?? "*"] ?? "x");
  const search = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  const target = search.length === 0 ? path : `${path}?${search.join("&")}`;
  return { method: operation.method, target, headers, body };
}

function writeBody({ kind, value }: BodyExample): string {
  return kind === "json" ? JSON.stringify(value) : new URLSearchParams(value as Record<string, string>).toString();
}

function encodeAll(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, encodeURIComponent(text)]));
}
