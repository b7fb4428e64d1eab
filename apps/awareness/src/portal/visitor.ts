import type { Visitor } from "./frame.ts";
import type { FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** The signed-in visitor; on the pages for visitors only, never null. */
    visitor: Visitor | null;
  }
}

/** Returns the signed-in visitor. Refuses: an Error outside the pages for visitors only. */
export function visitorOf({ visitor }: FastifyRequest): Visitor {
  if (visitor === null) throw new Error("This page is for visitors.");
  return visitor;
}
