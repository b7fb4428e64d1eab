import { createHash } from "node:crypto";
import {
  createConcurrencyLimit,
  type Leave,
  TooBusy,
  type WaitForTurn,
} from "@dataspace/service-kit/concurrency-limit";
import { createTransactionDatabase } from "@dataspace/service-kit/postgres/transaction-database";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Refusal } from "@dataspace/service-kit/http/refusal";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";
import { createNotedQuestions, type NotedQuestions, type OutsideQuestions } from "../access/outside-questions.ts";
import type { Caller } from "../caller/caller.ts";
import { refusal } from "../errors.ts";
import type { GraphQLAnswer } from "../graphql/execute.ts";
import type { GraphQLRequest } from "../graphql/graphql-request.ts";
import type { RequestError } from "../graphql/request-error.ts";
import { createNotedUploads, type NotedUploads } from "../operations/noted-uploads.ts";
import type { Uploads } from "../operations/uploads.ts";
import { claimKey, type IdempotentRequest, keepAnswer } from "../store/idempotent-answers.ts";
import { lockOwner } from "../store/owner-lock.ts";
import { faultsOf } from "./answer-faults.ts";

/** A request with an Idempotency-Key, and its caller. */
export interface KeyedRequest {
  readonly caller: Caller;
  readonly key: string;
  readonly asked: GraphQLRequest;
}

/** An answer: the HTTP status and the JSON text. */
export interface AnswerText {
  readonly status: number;
  readonly text: string;
}

/** Where one run of a request works: the transaction, and questions and uploads that stay inside it. */
export interface RunPlace {
  readonly database: Database;
  readonly questions: OutsideQuestions;
  readonly uploads: Uploads;
}

/** The result of a run: its answer, and all refusals of its mutations, selected by the document or not. */
export interface RunOutcome {
  readonly answer: GraphQLAnswer;
  readonly refusals: readonly RequestError[];
}

/** Runs a request once. It may run again from the start, so it stores no state between runs. */
export type RunRequest = (place: RunPlace) => Promise<RunOutcome>;

/** Answers a keyed request; runs it unless its answer is stored. */
export type AnswerOnce = (request: KeyedRequest, run: RunRequest) => Promise<AnswerText>;

interface AnswerOnceDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly outside: OutsideQuestions;
  readonly uploads: Uploads;
  /** Called once for each request when it ends, also when nothing was written. It wakes the dispatcher. */
  readonly announce: () => void;
}

const RETENTION_MS = 24 * 3_600_000;
const MAX_ANSWER_BYTES = 4 * 1_048_576;
/** Each holds a connection while it runs; the others of the pool stay free. */
const AT_ONCE = { atOnce: 4, mostWaiting: 256, waitMs: 10_000 };
/** Answers to questions may lead to more questions; no request needs this many rounds. */
const MOST_RUNS = 4;
/** deadlock_detected and serialization_failure. */
const CONFLICTS: ReadonlySet<string> = new Set(["40P01", "40001"]);
/** Longer than any statement takes. */
const IDLE_LIMIT = { text: "set local idle_in_transaction_session_timeout = '10s'", values: [] };

/**
 * Makes the answering of requests with an Idempotency-Key. A request, its writes and its answer are one transaction. So
 * a repetition finds the answer if and only if the writes are done, wherever and in whichever process the first run was
 * interrupted.
 *
 * Requests of one owner run one after the other; callers share the places. No question and no file leaves the process
 * while the transaction is open: the request rolls back, the question is asked or the file stored, and the request runs
 * again. Files that no run used are deleted. A fault rolls everything back and frees the key; a deadlock is first tried
 * four times. A refusal after an unanswered question becomes TRY_AGAIN and is not stored. Every other refusal is stored.
 * An answer over 4 MiB is refused, and nothing is written.
 * Refuses: IDEMPOTENCY_MISMATCH, ANSWER_ERASED, RESULT_TOO_LARGE, TRY_AGAIN, BUSY. Source: decisions V20, V25, V26.
 */
export function createAnswerOnce(deps: AnswerOnceDeps): AnswerOnce {
  const waitForTurn = createConcurrencyLimit(AT_ONCE);
  return async (request, run) => {
    const idempotent = toIdempotentRequest(request);
    const outside = { noted: createNotedQuestions(deps.outside), notedUploads: createNotedUploads(deps.uploads) };
    try {
      return await answerInRuns(deps, idempotent, { ...outside, run, waitForTurn });
    } finally {
      await outside.notedUploads.discardUnkept();
      deps.announce();
    }
  };
}

interface NotedRun {
  readonly noted: NotedQuestions;
  readonly notedUploads: NotedUploads;
  readonly run: RunRequest;
}

async function answerInRuns(
  deps: AnswerOnceDeps,
  request: IdempotentRequest,
  { waitForTurn, ...notedRun }: NotedRun & { readonly waitForTurn: WaitForTurn },
): Promise<AnswerText> {
  for (let runs = 1; runs <= MOST_RUNS; runs += 1) {
    const leave = await enter(waitForTurn, request);
    try {
      return await answerInTransaction(deps, request, notedRun);
    } catch (error) {
      if (error instanceof RolledBackAnswer) return error.answer;
      const isConflict = error instanceof Conflicted;
      if (isConflict && runs === MOST_RUNS) return error.answer;
      if (!isConflict && !(error instanceof Unanswered)) throw error;
    } finally {
      leave();
    }
    await notedRun.noted.askNoted();
    await notedRun.notedUploads.storeNoted();
  }
  throw tryAgain();
}

async function enter(waitForTurn: WaitForTurn, { caller, owner }: IdempotentRequest): Promise<Leave> {
  try {
    return await waitForTurn({ caller, alone: owner });
  } catch (error) {
    if (!(error instanceof TooBusy)) throw error;
    throw refusal("BUSY", "Too many requests with an Idempotency-Key are waiting; send this one again in a moment.");
  }
}

async function answerInTransaction(
  { database, clock }: AnswerOnceDeps,
  request: IdempotentRequest,
  notedRun: NotedRun,
): Promise<AnswerText> {
  const now = clock.nowMs();
  const times = { now: toIso(now), expiresAt: toIso(now + RETENTION_MS) };
  return database.transaction(async (transaction) => {
    await transaction.query(IDLE_LIMIT);
    const stored = await claimKey(transaction, request, times);
    if (stored === undefined) return runAndKeep(transaction, request, notedRun);
    if (stored.bodyHash.equals(request.bodyHash)) return toAnswer(stored.answer);
    const message =
      "This Idempotency-Key came with another request in the last 24 hours; use a new key for a new request.";
    throw refusal("IDEMPOTENCY_MISMATCH", message, "Idempotency-Key");
  });
}

function toAnswer(answer: string | null): AnswerText {
  if (answer !== null) return { status: 200, text: answer };
  const message =
    "This request was carried out, and its answer was erased with the vault's content. Do not send it again.";
  throw refusal("ANSWER_ERASED", message, "Idempotency-Key");
}

async function runAndKeep(
  transaction: Queryable,
  request: IdempotentRequest,
  { noted, notedUploads, run }: NotedRun,
): Promise<AnswerText> {
  await lockOwner(transaction, request.owner);
  const outside = { questions: noted.questions, uploads: notedUploads.beginRun() };
  const watched = watchConflicts(transaction);
  const { answer, refusals } = await run({ database: createTransactionDatabase(watched.transaction), ...outside });
  if (noted.hasNoted() || notedUploads.hasNoted())
    throw new Unanswered("a question is to be asked or a file to be stored first");
  const faults = faultsOf(answer, refusals);
  if (faults !== undefined) {
    const text = { status: faults.status, text: JSON.stringify({ errors: faults.errors }) };
    throw watched.hasConflicted() ? new Conflicted(text) : new RolledBackAnswer(text);
  }
  const isRefused = refusals.length > 0 || answer.body.errors !== undefined;
  if (isRefused && noted.hasFailed()) throw tryAgain();
  const text = JSON.stringify(answer.body);
  if (Buffer.byteLength(text) > MAX_ANSWER_BYTES) {
    const message =
      "The answer is larger than 4 MiB, so it cannot be stored for its Idempotency-Key, and nothing was written; select less.";
    throw refusal("RESULT_TOO_LARGE", message);
  }
  await keepAnswer(transaction, request, text);
  return { status: 200, text };
}

function tryAgain(): Refusal {
  const message =
    "The registry or another vault does not answer, so this request cannot be decided now; send it again.";
  return refusal("TRY_AGAIN", message);
}

/**
 * Watches the statements of a transaction for the failures that a repetition of the whole transaction cures: two
 * requests that wait for each other's rows.
 */
function watchConflicts(transaction: Queryable) {
  let conflicted = false;
  const watched: Queryable = {
    query: async (statement) => {
      try {
        return await transaction.query(statement);
      } catch (error) {
        conflicted ||= CONFLICTS.has(String((error as { readonly code?: unknown }).code));
        throw error;
      }
    },
  };
  return { transaction: watched, hasConflicted: () => conflicted };
}

/** Rolls a request back because a question has no answer yet. */
class Unanswered extends Error {
  override readonly name = "Unanswered";
}

/** Rolls a request back that may succeed when it runs again; carries the answer to send if it does not. */
class Conflicted extends Error {
  override readonly name = "Conflicted";
  readonly answer: AnswerText;

  constructor(answer: AnswerText) {
    super("the request met another one's locks");
    this.answer = answer;
  }
}

/** Rolls a request back that has run, and carries the answer to send instead. */
class RolledBackAnswer extends Error {
  override readonly name = "RolledBackAnswer";
  readonly answer: AnswerText;

  constructor(answer: AnswerText) {
    super("the request was rolled back");
    this.answer = answer;
  }
}

// The asserted author is part of the request's identity; a wallet's fresh token is the same caller.
function toIdempotentRequest({ caller, key, asked }: KeyedRequest): IdempotentRequest {
  const { owner, credential, subject, platform, author } = caller;
  return {
    owner,
    caller: `${credential} ${subject ?? platform ?? owner}`,
    keyHash: sha256(key),
    bodyHash: sha256(JSON.stringify([asked.query, asked.variables ?? null, asked.operationName ?? null, author])),
  };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
