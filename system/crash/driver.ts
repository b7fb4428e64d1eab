import { openSync, writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { pick, type Random } from "./random.ts";

/** A line of the driver's log; `n` numbers the writes. An intent is logged before its request is sent. */
export type DriverLine =
  | readonly ["meant", n: number, operation: "create" | "update" | "remove", stream: string | null]
  /** The vault acknowledged it. */
  | readonly ["done", n: number, stream: string]
  /** The vault refused it. */
  | readonly ["refused", n: number, code: string]
  /** No answer: it may have been done or not. */
  | readonly ["unknown", n: number, why: string];

/** Who writes, where, how many at once, and when to pause. */
export interface DriverConfig {
  readonly vaultUrls: readonly string[];
  readonly owners: readonly string[];
  readonly logFile: string;
  readonly random: Random;
  /** How long each client pauses after a write that took some time. */
  readonly restMs: (tookMs: number) => number;
  /** Called after each write: when it began and ended, by `performance.now()`, and whether the vault acknowledged or refused it. */
  readonly onAnswer?: (answered: {
    readonly startedMs: number;
    readonly endedMs: number;
    readonly succeeded: boolean;
  }) => void;
  readonly mayWrite: (acknowledged: number) => boolean;
  /** How long each client waits for an answer; 1,500 when absent. */
  readonly requestMs?: number;
}

/** Clients that write until they are disposed of; then each has its last answer. */
export interface Driver extends AsyncDisposable {
  readonly acknowledged: () => number;
}

interface Place {
  readonly owner: string;
  id: string | undefined;
  isCreating: boolean;
}

/** Clients that write at once. */
export const CLIENTS = 8;
const PLACES = 400;
const REQUEST_MS = 1_500;
const PAUSE_MS = 50;
const REMOVES = 0.04;

const DOCUMENTS = {
  create:
    "mutation ($input: MetaEnvelopeInput!) { it: createMetaEnvelope(input: $input) { metaEnvelope { id } errors { code } } }",
  update:
    "mutation ($id: ID!, $input: MetaEnvelopeInput!) { it: updateMetaEnvelope(id: $id, input: $input) { errors { code } } }",
  remove: "mutation ($id: ID!) { it: removeMetaEnvelope(id: $id) { errors { code } } }",
} as const;

/** Refusals after which the write may still have been done. */
const UNSURE = new Set(["STORAGE_UNAVAILABLE", "TIMEOUT", "INTERNAL_ERROR"]);

/**
 * Starts eight clients that create, update and remove records, several of them often the same one, at either vault
 * process.
 */
export function startDriver({
  vaultUrls,
  owners,
  logFile,
  random,
  restMs,
  mayWrite,
  onAnswer,
  requestMs = REQUEST_MS,
}: DriverConfig): Driver {
  const file = openSync(logFile, "a");
  const write = (line: DriverLine) => writeSync(file, `${JSON.stringify(line)}\n`);
  const places = Array.from({ length: PLACES }, (_, index): Place => {
    return { owner: owners[index % owners.length] as string, id: undefined, isCreating: false };
  });
  let numbers = 0;
  let acknowledged = 0;
  let stopped = false;

  async function writeOnce(): Promise<void> {
    // The first place takes a fifth of the writes and the last ones almost none, so that some records have many
    // writers.
    const place = places[Math.floor(random() ** 4 * PLACES)] as Place;
    if (place.id === undefined && place.isCreating) return void (await wait(1));
    const { id, owner } = place;
    const operation = id === undefined ? "create" : random() < REMOVES ? "remove" : "update";
    const n = ++numbers;
    if (operation === "create") place.isCreating = true;
    if (operation === "remove") place.id = undefined;
    write(["meant", n, operation, id === undefined ? null : `${owner} ${id}`]);
    const input = { ontology: "note", payload: { n, text: "x".repeat(n % 200) }, acl: ["*"] };
    const startedMs = performance.now();
    const answer = await ask(pick(vaultUrls, random), owner, {
      body: { query: DOCUMENTS[operation], variables: { id, input } },
      requestMs,
    });
    onAnswer?.({ startedMs, endedMs: performance.now(), succeeded: answer.kind !== "unknown" });
    place.isCreating &&= operation !== "create";
    if (answer.kind !== "done") {
      write([answer.kind, n, answer.why]);
      await wait(PAUSE_MS);
      return;
    }
    const madeId = id ?? (answer.id as string);
    if (operation === "create") place.id = madeId;
    write(["done", n, `${owner} ${madeId}`]);
    acknowledged += 1;
  }

  async function writeOn(): Promise<void> {
    while (!stopped) {
      const startedMs = performance.now();
      if (mayWrite(acknowledged)) await writeOnce();
      await wait(mayWrite(acknowledged) ? restMs(performance.now() - startedMs) : PAUSE_MS);
    }
  }

  const clients = Array.from({ length: CLIENTS }, writeOn);
  return {
    acknowledged: () => acknowledged,
    [Symbol.asyncDispose]: async () => {
      stopped = true;
      await Promise.all(clients);
    },
  };
}

type WriteAnswer =
  | { readonly kind: "done"; readonly id: string | undefined }
  | { readonly kind: "refused" | "unknown"; readonly why: string };

async function ask(
  url: string,
  owner: string,
  sent: { readonly body: object; readonly requestMs: number },
): Promise<WriteAnswer> {
  try {
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-ename": owner },
      body: JSON.stringify(sent.body),
      signal: AbortSignal.timeout(sent.requestMs),
    });
    const { data, errors } = (await response.json()) as GraphQLAnswer;
    const code = data?.it?.errors[0]?.code ?? errors?.[0]?.extensions?.code;
    if (code !== undefined)
      return { kind: UNSURE.has(code) || data?.it === undefined ? "unknown" : "refused", why: code };
    if (data?.it === undefined) return { kind: "unknown", why: `status ${response.status}` };
    return { kind: "done", id: data.it.metaEnvelope?.id };
  } catch (error) {
    return { kind: "unknown", why: String(error) };
  }
}

interface GraphQLAnswer {
  readonly data?: {
    readonly it?: {
      readonly metaEnvelope?: { readonly id: string };
      readonly errors: readonly { readonly code: string }[];
    };
  };
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
}
