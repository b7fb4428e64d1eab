import { parseEName } from "@dataspace/protocol/ename";
import { systemClock } from "@dataspace/service-kit/clock";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import type { WalletKey } from "@dataspace/wallet/wallet-key";
import { type Answered, expectAnswer, type Outcome } from "./answers.ts";
import { askOperations } from "./ask-operations.ts";
import { consult } from "./consult.ts";
import { isWrite } from "./documents.ts";
import type { Asker, Expected, Operation, Role } from "./operation.ts";
import type { OraclePage } from "./oracle-reads.ts";
import type { OracleState } from "./oracle-state.ts";
import { type Cast, listName, resolve, type World } from "./resolve.ts";
import type { RequestSketch } from "./sketch.ts";

/** The vaults that a run asks: all on one database, of three settings. */
export interface Fleet {
  /** `DS_VAULT_AUTH=enforced`, platform tokens accepted. */
  readonly enforced: readonly { readonly url: string }[];
  /** `DS_VAULT_AUTH=header`. */
  readonly header: readonly { readonly url: string }[];
  /** `DS_LEGACY_PLATFORM_TOKENS=read-only`. */
  readonly readOnly: readonly { readonly url: string }[];
  readonly platformToken: () => string;
  readonly unpagedCap: number;
  readonly policies: boolean;
  /** How often each kind of operation was answered how, as `update FORBIDDEN` or `update`. */
  readonly met: Map<string, number>;
}

/** One owner's run: who there is, with what keys. */
export interface StreamStart {
  readonly fleet: Fleet;
  readonly cast: Cast;
  readonly keys: Readonly<Record<"owner" | "listed" | "stranger", WalletKey>>;
}

/** Where a run went wrong: at which request, and how. */
export interface Failure {
  readonly index: number;
  readonly fault: string;
}

interface Token {
  readonly text: string;
  readonly issuedMs: number;
  spent: boolean;
}

interface Stream extends StreamStart, World {
  readonly tokens: Map<Role, Token>;
  wroteMs: number;
}

/** The platform that the registry's tokens name. */
export const PLATFORM = "https://platform.example";
const TOKEN_KEPT_MS = 200_000;

/**
 * Sends requests one after another to one owner's vault and holds every answer against the oracle.
 *
 * Out: how many operations ran, what the owner has according to the oracle, and the first failure, if any.
 */
export async function runStream(
  start: StreamStart,
  requests: readonly RequestSketch[],
): Promise<{ readonly operations: number; readonly state: OracleState; readonly failure: Failure | undefined }> {
  const state: OracleState = { records: new Map(), logs: [], events: [] };
  const stream: Stream = { ...start, state, cursors: new Map(), tokens: new Map(), wroteMs: 0 };
  let operations = 0;
  for (const [index, sketch] of requests.entries()) {
    try {
      operations += await runRequest(stream, sketch);
    } catch (error) {
      return { operations, state, failure: { index, fault: (error as Error).message } };
    }
  }
  return { operations, state, failure: undefined };
}

async function runRequest(stream: Stream, sketch: RequestSketch): Promise<number> {
  const operations = sketch.operations.map((operation) => resolve(stream, operation));
  const writes = operations.some(isWrite);
  const token = await takeToken(stream, sketch, writes);
  // Places and log ids of different vaults compare by the clock, so what follows another write does so in a later millisecond.
  if (writes) while (Date.now() <= stream.wroteMs) await new Promise((done) => setTimeout(done, 1));
  const outcomes = await send(stream, { sketch, operations, token });
  if (writes) stream.wroteMs = Date.now();
  const asker = askerOf(stream, sketch);
  const tokenSpent = token?.spent === true;
  for (const [index, operation] of operations.entries()) {
    const outcome = outcomes[index]!;
    const expected = consult({
      owner: stream.cast.owner,
      state: stream.state,
      asker,
      operation,
      tokenSpent,
      unpagedCap: stream.fleet.unpagedCap,
      outcome,
    });
    try {
      expectAnswer({ owner: stream.cast.owner, policies: stream.fleet.policies }, operation, expected)(outcome);
    } catch (error) {
      throw new Error(`${sketch.role}: ${JSON.stringify(operation)}\n${(error as Error).message}`);
    }
    tally(stream.fleet.met, operation, { expected, outcome });
    if (token !== undefined && isWritten(operation, expected)) token.spent = true;
    noteCursors(stream, operation, { expected, outcome });
  }
  return operations.length;
}

function tally(
  met: Fleet["met"],
  operation: Operation,
  { expected, outcome }: { readonly expected: Expected; readonly outcome: Outcome },
): void {
  const code = outcome.code ?? outcome.data?.errors?.[0]?.code;
  const key = "refused" in expected ? `${operation.do} ${code}` : operation.do;
  met.set(key, (met.get(key) ?? 0) + 1);
}

function isWritten(operation: Operation, expected: Expected): boolean {
  if ("refused" in expected || !isWrite(operation)) return false;
  return operation.do !== "bulk" || (expected.value as { successCount: number }).successCount > 0;
}

function askerOf({ cast }: Stream, { role, onBehalfOf }: RequestSketch): Asker {
  const behalf = onBehalfOf ? cast.listed : null;
  const none = { platform: null, onBehalfOf: behalf, writes: false, bearer: true };
  switch (role) {
    case "owner":
    case "listed":
    case "stranger":
      return { ...none, kind: "person", ename: cast[role], author: cast[role] };
    case "platform":
    case "reader":
      return {
        ...none,
        kind: "platform",
        ename: null,
        platform: PLATFORM,
        author: behalf,
        writes: role === "platform",
      };
    case "asserted":
      return { ...none, kind: "person", ename: cast.owner, author: behalf, bearer: false };
    case "anonymous":
      return { ...none, kind: "anonymous", ename: null, author: null, bearer: false };
  }
}

async function takeToken(stream: Stream, sketch: RequestSketch, writes: boolean): Promise<Token | undefined> {
  const { role } = sketch;
  if (role !== "owner" && role !== "listed" && role !== "stranger") return undefined;
  const stored = stream.tokens.get(role);
  const usable = stored !== undefined && Date.now() - stored.issuedMs < TOKEN_KEPT_MS;
  if (usable && (!writes || sketch.reusesToken)) return stored;
  const input = { ename: parseEName(stream.cast[role]), audience: stream.cast.owner };
  const text = await issueWalletToken({ key: stream.keys[role], clock: systemClock }, input);
  const token: Token = { text, issuedMs: Date.now(), spent: false };
  stream.tokens.set(role, token);
  return token;
}

async function send(
  { fleet, cast }: Stream,
  request: {
    readonly sketch: RequestSketch;
    readonly operations: readonly Operation[];
    readonly token: Token | undefined;
  },
): Promise<readonly Outcome[]> {
  const { sketch, operations, token } = request;
  const { role } = sketch;
  const servers = role === "asserted" ? fleet.header : role === "reader" ? fleet.readOnly : fleet.enforced;
  const vault = servers[sketch.server % servers.length]!;
  const bearer = role === "platform" || role === "reader" ? fleet.platformToken() : token?.text;
  const headers: Record<string, string> = {};
  if (bearer !== undefined) headers["authorization"] = `Bearer ${bearer}`;
  if (sketch.onBehalfOf) headers["x-on-behalf-of"] = cast.listed;
  return askOperations(vault, { owner: cast.owner, operations, headers, policies: fleet.policies });
}

/** Keeps the cursors of a page with the places they stand for. */
function noteCursors(
  stream: Stream,
  operation: Operation,
  met: { readonly expected: Expected; readonly outcome: Outcome },
): void {
  if (operation.do !== "list" && operation.do !== "history" && operation.do !== "logs") return;
  if ("refused" in met.expected) return;
  const { items } = met.expected.value as OraclePage<unknown>;
  const { data } = met.outcome;
  const texts: (string | null)[] =
    operation.do === "logs"
      ? items.map((_, index) => (index === items.length - 1 ? data.nextCursor : null))
      : data.edges.map(({ cursor }: Answered) => cursor);
  const name = listName(operation);
  const known = stream.cursors.get(name) ?? [];
  for (const [index, text] of texts.entries()) if (text !== null) known.push({ text, place: items[index]!.place });
  stream.cursors.set(name, known.slice(-50));
}
