import type { Visitor } from "./visits.ts";
import type { FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** The signed-in reviewer; on the pages for reviewers only, never null. */
    reviewVisitor: Visitor | null;
  }
}

/** Returns the signed-in reviewer. Refuses: an Error outside the pages for reviewers only. */
export function visitorOf({ reviewVisitor }: FastifyRequest): Visitor {
  if (reviewVisitor === null) throw new Error("This page is for reviewers.");
  return reviewVisitor;
}
