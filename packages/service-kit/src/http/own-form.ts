import { createSecret, isTextOf } from "../secret.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** Makes a scope accept forms and nothing else. Refuses: PAYLOAD_TOO_LARGE above `limitBytes`. */
export function acceptForms(scope: FastifyInstance, { limitBytes }: { readonly limitBytes: number }): void {
  const options = { parseAs: "string", bodyLimit: limitBytes } as const;
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    options,
    async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
  );
}

/** Returns the fields of a sent form; without a form, none. Refuses: never. */
export function formOf(request: FastifyRequest): URLSearchParams {
  return request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
}

/**
 * Checks that a form was sent from a page of this origin, as far as the browser says where it began.
 *
 * In: `isOwnOrigin` decides about an Origin header. Refuses: never. Source: Fetch Metadata Request Headers 2.1; RFC 6454.
 */
export function isOwnSite({ headers }: FastifyRequest, isOwnOrigin: (origin: string) => boolean): boolean {
  const { "sec-fetch-site": site, origin } = headers;
  return site === undefined ? origin === undefined || isOwnOrigin(origin) : site === "same-origin";
}

/** Checks that a form carries the token of its visit, in constant time. Refuses: never. */
export function hasFormToken(request: FastifyRequest, formToken: string): boolean {
  return isTextOf(createSecret(formToken), formOf(request).get("token") ?? "");
}
