import { setTimeout as wait } from "node:timers/promises";
import type { FindCertifiedKeys } from "@dataspace/clients/certified-keys";
import type { IsKnown } from "@dataspace/clients/known-enames";

/** The questions of an operation to other parties, over the network. */
export interface OutsideQuestions {
  readonly isKnown: IsKnown;
  readonly findCertifiedKeys: FindCertifiedKeys;
}

/** The same questions for work inside a database transaction, where an unanswered question is only noted. */
export interface NotedQuestions {
  readonly questions: OutsideQuestions;
  /** Returns whether a question waits for its answer. */
  readonly hasNoted: () => boolean;
  /** Asks the noted questions, each once. Refuses: never. */
  readonly askNoted: () => Promise<void>;
  /** Returns whether a question got no answer. */
  readonly hasFailed: () => boolean;
}

type Answer = { readonly value: unknown } | { readonly error: unknown };

const ASK_MS = 5_000;

/**
 * Makes questions that never wait for the network. A question without an answer fails and is noted. The transaction
 * then rolls back, `askNoted` asks outside of it, and the work runs again with the answers.
 *
 * Source: decision V26.
 */
export function createNotedQuestions(outside: OutsideQuestions): NotedQuestions {
  const answers = new Map<string, Answer>();
  const noted = new Map<string, () => Promise<unknown>>();
  let failed = false;

  async function answerOf<T>(question: string, ask: () => Promise<T>): Promise<T> {
    const answer = answers.get(question);
    if (answer === undefined) {
      noted.set(question, ask);
      throw new Error("this question is asked after the transaction");
    }
    if ("error" in answer) throw answer.error;
    return answer.value as T;
  }

  async function ask(question: string, asking: () => Promise<unknown>): Promise<void> {
    const late = wait(ASK_MS, undefined, { ref: false }).then(() => {
      throw new Error(`no answer within ${ASK_MS} ms`);
    });
    try {
      answers.set(question, { value: await Promise.race([asking(), late]) });
    } catch (error) {
      answers.set(question, { error });
      failed = true;
    }
  }

  return {
    questions: {
      isKnown: (ename) => answerOf(`known ${ename}`, () => outside.isKnown(ename)),
      findCertifiedKeys: (ename, options) =>
        answerOf(`keys ${ename} ${options?.fresh === true}`, () => outside.findCertifiedKeys(ename, options)),
    },
    hasNoted: () => noted.size > 0,
    askNoted: async () => {
      const asked = [...noted];
      noted.clear();
      await Promise.all(asked.map(([question, asking]) => ask(question, asking)));
    },
    hasFailed: () => failed,
  };
}
