import { createHash } from "node:crypto";
import { createInTurn } from "@dataspace/service-kit/postgres/in-turn";
import { createTransactionDatabase } from "@dataspace/service-kit/postgres/transaction-database";
import { createSlots } from "@dataspace/service-kit/slots";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";
import type { Caller } from "../caller/caller.ts";
import { refusal } from "../errors.ts";
import type { GraphQLAnswer } from "../graphql/execute.ts";
import type { GraphQLRequest } from "../graphql/graphql-request.ts";
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

/** Answers a keyed request, running it in the database it is given unless its answer is there. */
export type AnswerOnce = (
  request: KeyedRequest,
  run: (database: Database) => Promise<GraphQLAnswer>,
) => Promise<AnswerText>;

interface AnswerOnceDeps {
  readonly database: Database;
  readonly clock: Clock;
}

const KEPT_MS = 24 * 3_600_000;
const MAX_ANSWER_BYTES = 4 * 1_048_576;
/** Each holds a connection while it runs; the others of the pool stay free. */
const AT_ONCE = 4;
/** Longer than a statement and a question to another service take. */
const IDLE_LIMIT = { text: "set local idle_in_transaction_session_timeout = '10s'", values: [] };

/**
 * Makes the answering of requests with an Idempotency-Key: a request, its writes and its answer are one transaction, so a
 * repetition finds the answer if and only if the writes are done, whatever broke off in between and in whichever process.
 *
 * Those of one owner run one after the other. A fault of ours or of the storage undoes the whole request, frees the key and is
 * answered alone; a refusal is an answer like any other. An answer over 4 MiB is refused, and nothing written.
 * Refuses: IDEMPOTENCY_MISMATCH, RESULT_TOO_LARGE. Source: decision V20.
 */
export function createAnswerOnce(deps: AnswerOnceDeps): AnswerOnce {
  const inTurn = createInTurn();
  const inSlot = createSlots(AT_ONCE);
  return async (request, run) => {
    const of = toIdempotentRequest(request);
    return inTurn(of.owner, () => inSlot(() => answerInTransaction(deps, of, run)));
  };
}

async function answerInTransaction(
  { database, clock }: AnswerOnceDeps,
  of: IdempotentRequest,
  run: (database: Database) => Promise<GraphQLAnswer>,
): Promise<AnswerText> {
  const now = clock.nowMs();
  const times = { now: toIso(now), expiresAt: toIso(now + KEPT_MS) };
  try {
    return await database.transaction(async (transaction) => {
      await transaction.query(IDLE_LIMIT);
      const kept = await claimKey(transaction, of, times);
      if (kept === undefined) return runAndKeep(transaction, of, run);
      if (kept.bodyHash.equals(of.bodyHash)) return { status: 200, text: kept.answer };
      const message =
        "This Idempotency-Key came with another request in the last 24 hours; use a new key for a new request.";
      throw refusal("IDEMPOTENCY_MISMATCH", message, "Idempotency-Key");
    });
  } catch (error) {
    if (error instanceof Undone) return error.answer;
    throw error;
  }
}

async function runAndKeep(
  transaction: Queryable,
  of: IdempotentRequest,
  run: (database: Database) => Promise<GraphQLAnswer>,
): Promise<AnswerText> {
  await lockOwner(transaction, of.owner);
  const answer = await run(createTransactionDatabase(transaction));
  const faults = faultsOf(answer);
  if (faults !== undefined)
    throw new Undone({ status: faults.status, text: JSON.stringify({ errors: faults.errors }) });
  const text = JSON.stringify(answer.body);
  if (Buffer.byteLength(text) > MAX_ANSWER_BYTES) {
    const message =
      "The answer is larger than 4 MiB, so it cannot be kept for its Idempotency-Key, and nothing was written; select less.";
    throw refusal("RESULT_TOO_LARGE", message);
  }
  await keepAnswer(transaction, of, text);
  return { status: 200, text };
}

/** Takes a request back that has run, and carries what is answered instead. */
class Undone extends Error {
  override readonly name = "Undone";
  readonly answer: AnswerText;

  constructor(answer: AnswerText) {
    super("the request is undone");
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
