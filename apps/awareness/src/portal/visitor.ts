import type { Visitor } from "./frame.ts";
import type { FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** Who is signed in; on the pages that only visitors reach, never null. */
    visitor: Visitor | null;
  }
}

/** Who is signed in. Refuses: an Error outside the pages that only visitors reach. */
export function visitorOf({ visitor }: FastifyRequest): Visitor {
  if (visitor === null) throw new Error("This page is for visitors.");
  return visitor;
}
