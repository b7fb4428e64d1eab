import { hasFormToken, isOwnSite as isFromOwnSite } from "@dataspace/service-kit/http/own-form";
import { awarenessRefusal } from "../errors.ts";
import type { FastifyRequest } from "fastify";

/** Returns the non-empty lines of a multi-line field. Refuses: never. */
export function linesOf(form: URLSearchParams, name: string): readonly string[] {
  return (form.get(name) ?? "").split(/\r?\n/).flatMap((line) => line.trim() || []);
}

/**
 * Whether a form was sent from a page of this origin, by the browser's headers. Refuses: never. Source: Fetch Metadata
 * Request Headers 2.1; RFC 6454.
 */
export function isOwnSite(request: FastifyRequest): boolean {
  return isFromOwnSite(request, (origin) => isHost(origin, request.headers.host));
}

/** Checks that a form was sent from a page of this origin. Refuses: FOREIGN_FORM. */
export function assertOwnSite(request: FastifyRequest): void {
  if (!isOwnSite(request)) throw foreign();
}

/** Checks also that a form carries the token of its visit. Refuses: FOREIGN_FORM. */
export function assertOwnForm(request: FastifyRequest, formToken: string): void {
  assertOwnSite(request);
  if (!hasFormToken(request, formToken)) throw foreign();
}

function isHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}

function foreign(): Error {
  return awarenessRefusal("FOREIGN_FORM", "Open the page again and send the form from there.");
}
