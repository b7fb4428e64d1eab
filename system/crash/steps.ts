import type { Moment } from "./watched-database.ts";

/** A step of an event's path at which its process is ended, or stopped for longer than its lease. */
export interface Step {
  /** Its number in the list of crash points, and what is unfinished there. */
  readonly name: string;
  readonly service: "vault" | "awareness";
  readonly signal: "SIGKILL" | "SIGSTOP";
  /** Its place in the code, when the process itself can recognise it; otherwise it is triggered from outside. */
  readonly at?: StepMoment;
}

interface StepMoment extends Pick<Moment, "when"> {
  /** Matches the statement's name, a line break and its text. */
  readonly statement: RegExp;
  /** Only where the statement touched rows. */
  readonly touches?: true;
  /** Only once such a statement was committed by this process. */
  readonly following?: RegExp;
}

const WRITE = /^change:/;
const OUTBOX_CLAIM = /update outbox_lane set lease = \$/;
const OUTBOX_DONE = /delete from change_event/;
const STORE = /insert into event \(/;
const CLAIM = /update lane set lease = \$/;
const NUMBER = /insert into feed \(/;
const SETTLE = /update delivery d set state = held/;

const IN_VAULT: readonly Omit<Step, "service">[] = [
  { name: "1 before the commit of a write", signal: "SIGKILL", at: { when: "before", statement: WRITE } },
  { name: "1 during the commit of a write", signal: "SIGKILL", at: { when: "sent", statement: WRITE } },
  { name: "2 after it, before the wake-up and the answer", signal: "SIGKILL", at: { when: "after", statement: WRITE } },
  {
    name: "3 the vault has claimed, not sent",
    signal: "SIGKILL",
    at: { when: "after", statement: OUTBOX_CLAIM, touches: true },
  },
  {
    name: "6 the vault has the acknowledgement, not forgotten the event",
    signal: "SIGKILL",
    at: { when: "before", statement: OUTBOX_DONE },
  },
  { name: "the vault, anywhere", signal: "SIGKILL" },
  {
    name: "12 the vault is paused past its lease after claiming",
    signal: "SIGSTOP",
    at: { when: "after", statement: OUTBOX_CLAIM, touches: true },
  },
  {
    name: "12 the vault is paused past its lease before completing",
    signal: "SIGSTOP",
    at: { when: "before", statement: OUTBOX_DONE },
  },
];

/** Comes with an answer that the receiver holds back permanently. */
export const HELD_ANSWER = "10 the receiver has applied, its answer is lost";
/** Comes with a request to deliver again. */
export const REPLAY = "14 during a replay";

const IN_AWARENESS: readonly Omit<Step, "service">[] = [
  {
    name: "4 the event has arrived, is not committed",
    signal: "SIGKILL",
    at: { when: "committing", statement: STORE },
  },
  { name: "5 it is committed, the answer is lost", signal: "SIGKILL", at: { when: "committed", statement: STORE } },
  {
    name: "7 it is stored, nothing has looked for it",
    signal: "SIGKILL",
    at: { when: "before", statement: CLAIM, following: STORE },
  },
  {
    name: "8 numbered for the feed, not committed",
    signal: "SIGKILL",
    at: { when: "after", statement: NUMBER, touches: true },
  },
  {
    name: "9 a delivery is claimed, not sent",
    signal: "SIGKILL",
    at: { when: "after", statement: CLAIM, touches: true },
  },
  { name: HELD_ANSWER, signal: "SIGKILL" },
  {
    name: "11 the receiver's 200 is there, not committed",
    signal: "SIGKILL",
    at: { when: "before", statement: SETTLE },
  },
  {
    name: "13 during the one statement that settles and advances",
    signal: "SIGKILL",
    at: { when: "sent", statement: SETTLE },
  },
  { name: REPLAY, signal: "SIGKILL", at: { when: "committing", statement: /with again as/ } },
  { name: "the awareness service, anywhere", signal: "SIGKILL" },
  {
    name: "12 a worker is paused past its lease after claiming",
    signal: "SIGSTOP",
    at: { when: "after", statement: CLAIM, touches: true },
  },
  {
    name: "12 a worker is paused past its lease before completing",
    signal: "SIGSTOP",
    at: { when: "before", statement: SETTLE },
  },
];

/** Every step, in the order of the way. Step 15 is the database's, 16 and 17 are not of processes. Source: decision E1. */
export const STEPS: readonly Step[] = [
  ...IN_VAULT.map((step): Step => ({ ...step, service: "vault" })),
  ...IN_AWARENESS.map((step): Step => ({ ...step, service: "awareness" })),
];

/** Makes the function that recognises, moment by moment, whether a step is reached. Refuses: never. */
export function createIsReached({ at }: Step): (moment: Moment) => boolean {
  let mayCome = at?.following === undefined;
  return ({ when, statement, rows }) => {
    const said = `${statement.name}\n${statement.text}`;
    if (when === "committed" && at?.following?.test(said)) mayCome = true;
    return at !== undefined && mayCome && when === at.when && at.statement.test(said) && (!at.touches || rows > 0);
  };
}
