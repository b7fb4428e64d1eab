import { setTimeout as wait } from "node:timers/promises";
import { pick, type Random } from "../crash/random.ts";
import type { Answered } from "./load-record.ts";

/** Where is read, and how long each reader pauses after a request that took some time. */
export interface ReadersConfig {
  readonly vaultUrls: readonly string[];
  readonly owners: readonly string[];
  readonly random: Random;
  readonly restMs: (tookMs: number) => number;
  readonly onAnswer: (answered: Answered) => void;
  /** How long each reader waits for an answer. */
  readonly requestMs: number;
}

/** Readers at work; four of them. */
export const READERS = 4;
const PAGE = "{ metaEnvelopes(first: 20) { edges { node { id ontology parsed } } } }";
const ONE = "query ($id: ID!) { metaEnvelope(id: $id) { id ontology parsed } }";

/** Starts clients that read pages and single records of the owners, until they are disposed of. */
export function startReaders({
  vaultUrls,
  owners,
  random,
  restMs,
  onAnswer,
  requestMs,
}: ReadersConfig): AsyncDisposable {
  let stopped = false;
  const ask = async (owner: string, body: object): Promise<readonly string[]> => {
    const startedMs = performance.now();
    const ids = await readIds(`${pick(vaultUrls, random)}/graphql`, { owner, body, requestMs });
    const endedMs = performance.now();
    onAnswer({ startedMs, endedMs, succeeded: ids !== undefined });
    await wait(restMs(endedMs - startedMs));
    return ids ?? [];
  };
  const readOn = async (): Promise<void> => {
    while (!stopped) {
      const owner = pick(owners, random);
      const ids = await ask(owner, { query: PAGE });
      for (const id of ids.slice(0, 4)) {
        if (!stopped) await ask(owner, { query: ONE, variables: { id } });
      }
    }
  };
  const readers = Array.from({ length: READERS }, readOn);
  return {
    [Symbol.asyncDispose]: async () => {
      stopped = true;
      await Promise.all(readers);
    },
  };
}

interface ReadAnswer {
  readonly errors?: unknown;
  readonly data?: {
    readonly metaEnvelopes?: { readonly edges: readonly { readonly node: { readonly id: string } }[] };
  };
}

/** The ids of a page, none of a single record; undefined where the request failed. */
async function readIds(
  url: string,
  { owner, body, requestMs }: { readonly owner: string; readonly body: object; readonly requestMs: number },
): Promise<readonly string[] | undefined> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", "x-ename": owner },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(requestMs),
    });
    const { data, errors } = (await response.json()) as ReadAnswer;
    if (!response.ok || errors !== undefined || data === undefined) return undefined;
    return data.metaEnvelopes?.edges.map(({ node }) => node.id) ?? [];
  } catch {
    return undefined;
  }
}
