import type { Caller } from "../caller/caller.ts";
import type { OpenReadBudget, ReadBudget } from "../operations/read-budget.ts";
import type { FastifyReply } from "fastify";

/**
 * Opens the budget of a request, which is released when its answer is sent or its connection is closed.
 *
 * Refuses: never. Source: decision V25.
 */
export function openBudget(
  { openReadBudget }: { readonly openReadBudget: OpenReadBudget },
  caller: Caller,
  { raw }: FastifyReply,
): ReadBudget {
  const budget = openReadBudget(caller);
  let isOver = raw.closed;
  raw.once("close", () => {
    isOver = true;
    budget.release();
  });
  return {
    ...budget,
    take: (bytes) => {
      budget.take(bytes);
      if (isOver) budget.release();
    },
  };
}
