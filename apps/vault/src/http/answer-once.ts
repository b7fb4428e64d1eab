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

/** A request with an Idempotency-Key, and who sent it. */
export interface KeyedRequest {
  readonly caller: Caller;
  readonly key: string;
  readonly asked: GraphQLRequest;
}

/** An answer as it goes out: the HTTP status and the JSON text. */
export interface AnswerText {
  readonly status: number;
  readonly text: string;
}

/** Where one run of a request does its work: the transaction, and questions and uploads that do not leave it. */
export interface RunPlace {
  readonly database: Database;
  readonly questions: OutsideQuestions;
  readonly uploads: Uploads;
}

/** What a run came to: its answer, and all that its mutations refused, selected by the document or not. */
export interface RunOutcome {
  readonly answer: GraphQLAnswer;
  readonly refusals: readonly RequestError[];
}

/** Runs a request once. It may run again from the start, so it keeps nothing between runs. */
export type RunRequest = (place: RunPlace) => Promise<RunOutcome>;

/** Answers a keyed request, running it unless its answer is there. */
export type AnswerOnce = (request: KeyedRequest, run: RunRequest) => Promise<AnswerText>;

interface AnswerOnceDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly outside: OutsideQuestions;
  readonly uploads: Uploads;
}

const KEPT_MS = 24 * 3_600_000;
const MAX_ANSWER_BYTES = 4 * 1_048_576;
/** Each holds a connection while it runs; the others of the pool stay free. */
const AT_ONCE = { atOnce: 4, mostWaiting: 256, waitMs: 10_000 };
/** Answers to questions may lead to more questions; no request of ours needs as many rounds. */
const MOST_RUNS = 4;
/** Longer than a statement takes. */
const IDLE_LIMIT = { text: "set local idle_in_transaction_session_timeout = '10s'", values: [] };

/**
 * Makes the answering of requests with an Idempotency-Key: a request, its writes and its answer are one transaction, so a
 * repetition finds the answer if and only if the writes are done, whatever broke off in between and in whichever process.
 *
 * Those of one owner run one after the other; a caller with many shares the places with the others. No question and
 * no file leaves the process while the transaction is open: the request is undone, the question asked or the file stored, and the
 * request run again; files that no run kept are deleted. A fault of ours or
 * of the storage undoes the whole request, frees the key and is answered alone, and so does a refusal when a question got no
 * answer; any other refusal is an answer. An answer over 4 MiB is refused, and nothing written.
 * Refuses: IDEMPOTENCY_MISMATCH, RESULT_TOO_LARGE, TRY_AGAIN, BUSY. Source: decisions V20, V25, V26.
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
      if (!(error instanceof Unanswered)) throw error;
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
  const times = { now: toIso(now), expiresAt: toIso(now + KEPT_MS) };
  return database.transaction(async (transaction) => {
    await transaction.query(IDLE_LIMIT);
    const kept = await claimKey(transaction, request, times);
    if (kept === undefined) return runAndKeep(transaction, request, notedRun);
    if (kept.bodyHash.equals(request.bodyHash)) return { status: 200, text: kept.answer };
    const message =
      "This Idempotency-Key came with another request in the last 24 hours; use a new key for a new request.";
    throw refusal("IDEMPOTENCY_MISMATCH", message, "Idempotency-Key");
  });
}

async function runAndKeep(
  transaction: Queryable,
  request: IdempotentRequest,
  { noted, notedUploads, run }: NotedRun,
): Promise<AnswerText> {
  await lockOwner(transaction, request.owner);
  const outside = { questions: noted.questions, uploads: notedUploads.beginRun() };
  const { answer, refusals } = await run({ database: createTransactionDatabase(transaction), ...outside });
  if (noted.hasNoted() || notedUploads.hasNoted())
    throw new Unanswered("a question is to be asked or a file to be stored first");
  const faults = faultsOf(answer, refusals);
  if (faults !== undefined)
    throw new RolledBackAnswer({ status: faults.status, text: JSON.stringify({ errors: faults.errors }) });
  const isRefused = refusals.length > 0 || answer.body.errors !== undefined;
  if (isRefused && noted.hasFailed()) throw tryAgain();
  const text = JSON.stringify(answer.body);
  if (Buffer.byteLength(text) > MAX_ANSWER_BYTES) {
    const message =
      "The answer is larger than 4 MiB, so it cannot be kept for its Idempotency-Key, and nothing was written; select less.";
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

/** Takes a request back whose question has no answer yet. */
class Unanswered extends Error {
  override readonly name = "Unanswered";
}

/** Takes a request back that has run, and carries what is answered instead. */
class RolledBackAnswer extends Error {
  override readonly name = "RolledBackAnswer";
  readonly answer: AnswerText;

  constructor(answer: AnswerText) {
    super("the request was rolled back");
    this.answer = answer;
  }
}

// Whom a write is recorded for is part of what is asked; a wallet's fresh token is the same caller.
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
