import { createSecret, isTextOf } from "@dataspace/service-kit/secret";
import { awarenessRefusal } from "../errors.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

const FORM_BYTES = 262_144;

/** Makes a scope accept forms and nothing else. Refuses: PAYLOAD_TOO_LARGE above 256 KiB. */
export function acceptForms(scope: FastifyInstance): void {
  const options = { parseAs: "string", bodyLimit: FORM_BYTES } as const;
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    options,
    async (_request: FastifyRequest, body: string) => {
      return new URLSearchParams(body);
    },
  );
}

/** Returns the fields of a sent form; without a form, none. Refuses: never. */
export function formOf(request: FastifyRequest): URLSearchParams {
  return request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
}

/** Returns the non-empty lines of a multi-line field. Refuses: never. */
export function linesOf(form: URLSearchParams, name: string): readonly string[] {
  return (form.get(name) ?? "").split(/\r?\n/).flatMap((line) => line.trim() || []);
}

/**
 * Whether a form was sent from a page of this origin, by the browser's headers. Refuses: never. Source: Fetch Metadata
 * Request Headers 2.1; RFC 6454.
 */
export function isOwnSite({ headers }: FastifyRequest): boolean {
  const { "sec-fetch-site": site, origin, host } = headers;
  return site === undefined ? origin === undefined || isHost(origin, host) : site === "same-origin";
}

/** Checks that a form was sent from a page of this origin. Refuses: FOREIGN_FORM. */
export function assertOwnSite(request: FastifyRequest): void {
  if (!isOwnSite(request)) throw foreign();
}

/** Checks also that a form carries the token of its visit. Refuses: FOREIGN_FORM. */
export function assertOwnForm(request: FastifyRequest, formToken: string): void {
  assertOwnSite(request);
  if (!isTextOf(createSecret(formToken), formOf(request).get("token") ?? "")) throw foreign();
}

function isHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}

function foreign(): Error {
  return awarenessRefusal("FOREIGN_FORM", "Open the page again and send the form from there.");
}
