import type { Attack } from "./attack.ts";
import type { ErrorCodes } from "./error-codes.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { exampleParts, type Operation, toRequest } from "./operation.ts";
import { exchange, type RawAnswer, writeRequest } from "./raw-http.ts";
import type { Scene } from "./scene.ts";
import { wireAttacks } from "./wire-attacks.ts";

/** One exchange, when it was under way (milliseconds since the epoch), and how it is sent again. */
export interface Sent {
  readonly name: string;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly bodyBytes: number;
  readonly fault: string | undefined;
  readonly again: () => Promise<unknown>;
}

/** What attacks are sent with. */
export interface Sending {
  readonly scene: Scene;
  readonly codes: ErrorCodes;
  /** How many are under way at a time. */
  readonly atOnce: number;
}

const TIMEOUT_MS = 15_000;
/** A server may answer and close before a body has arrived: the answer is then lost. */
const LONG_BODY_BYTES = 65_536;
const ENDLESS = /\/stream$|^\/ds\/events\//;

/** Sends attacks. Out: each with what is wrong with its answer. Refuses: never. */
export async function sendAttacks(attacks: readonly Attack[], sending: Sending): Promise<readonly Sent[]> {
  return inParallel(attacks, sending.atOnce, (attack) => sendAttack(attack, sending));
}

async function sendAttack({ operation, name, caller, request }: Attack, { scene, codes }: Sending): Promise<Sent> {
  const send = async (): Promise<RawAnswer> => {
    const names = new Set(request.headers.map(([header]) => header.toLowerCase()));
    const credential = Object.entries(await scene.headersOf(caller)).filter(([header]) => !names.has(header));
    const bytes = writeRequest(operation.origin, { ...request, headers: [...request.headers, ...credential] });
    return exchange(operation.origin, bytes, timeoutOf(operation));
  };
  return judged({
    operation,
    name: `${name} (as ${caller})`,
    bodyBytes: request.body?.length ?? 0,
    mayBeUnanswered: false,
    send,
    codes,
  });
}

/** Sends an operation's odd requests. Out: each with what is wrong with its answer. Refuses: never. */
export async function sendWireAttacks(
  operation: Operation,
  { scene, codes, atOnce }: Sending,
  isDrawn: () => boolean,
): Promise<readonly Sent[]> {
  const credential = await scene.headersOf(operation.callers.at(-1) ?? "nobody");
  return inParallel(wireAttacks(operation, credential, isDrawn), atOnce, ({ name, bytes, mayBeUnanswered }) => {
    const send = (): Promise<RawAnswer> => exchange(operation.origin, bytes, timeoutOf(operation));
    return judged({ operation, name, bodyBytes: bytes.length, mayBeUnanswered, send, codes });
  });
}

/**
 * Sends the example of an operation. Out: the status; 0 without an answer.
 *
 * In: `padding`, blanks behind a JSON body, so that it counts as a large one. Refuses: never.
 */
export async function sendExample(operation: Operation, scene: Scene, padding: number): Promise<number> {
  const request = toRequest(operation, exampleParts(operation));
  const credential = await scene.headersOf(operation.callers[2] ?? operation.callers.at(-1) ?? "nobody");
  const body = request.body && Buffer.concat([request.body, Buffer.alloc(padding, " ")]);
  const headers = [...request.headers, ...Object.entries(credential)];
  const answer = await exchange(
    operation.origin,
    writeRequest(operation.origin, { ...request, headers, body }),
    TIMEOUT_MS,
  );
  return answer.status;
}

async function judged(given: {
  readonly operation: Operation;
  readonly name: string;
  readonly bodyBytes: number;
  readonly mayBeUnanswered: boolean;
  readonly send: () => Promise<RawAnswer>;
  readonly codes: ErrorCodes;
}): Promise<Sent> {
  const { operation, name, bodyBytes, mayBeUnanswered, send, codes } = given;
  const fromMs = Date.now();
  const answer = await send();
  const isExcused =
    answer.status === 0 && (mayBeUnanswered || bodyBytes > LONG_BODY_BYTES || ENDLESS.test(operation.path));
  const fault = isExcused || mayBeUnanswered ? undefined : judgeAnswer(answer, codes, operation.path);
  return { name, fromMs, untilMs: Date.now(), bodyBytes, fault, again: send };
}

function timeoutOf({ path }: Operation): number {
  return ENDLESS.test(path) ? 300 : TIMEOUT_MS;
}

/** Runs `work` for each entry, at most `atOnce` at a time. Out: in the order of the entries. */
export async function inParallel<Entry, Result>(
  entries: readonly Entry[],
  atOnce: number,
  work: (entry: Entry) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < entries.length) {
      const index = next++;
      results[index] = await work(entries[index] as Entry);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, entries.length) }, lane));
  return results;
}
