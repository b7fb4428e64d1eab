import { Refusal } from "@dataspace/service-kit/http/refusal";
import type { Fault, ReviewPage } from "./frame.ts";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Sends a page in the reviewers' frame. */
export type ShowPage = (request: FastifyRequest, reply: FastifyReply, page: ReviewPage) => Promise<FastifyReply>;

/** Converts the refusal of a form into a fault that the form shows. Refuses: the error itself when it is not one. */
export function toFault(error: unknown): Fault & { readonly status: number } {
  if (!(error instanceof Refusal)) throw error;
  const { code, message, field, status } = error;
  return { code, message, field, status };
}
