import type { PageAnswer } from "../provider/op-core.ts";
import type { FastifyReply } from "fastify";

/**
 * The headers of every login page: it loads nothing from elsewhere, cannot be framed, and is not cached. It sends no
 * Cross-Origin-Opener-Policy, since a login may run in a pop-up.
 *
 * A page with forms has no `form-action`: browsers apply that to each redirect after a form. Continue and Cancel lead to the client, and a client that
 * is itself a broker redirects on to an origin that is not known here.
 *
 * Source: decision L11; Content Security Policy Level 3.
 */
export function loginPageHeaders(page: "with forms" | "message"): Readonly<Record<string, string>> {
  return {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "content-security-policy": [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      ...(page === "message" ? ["form-action 'none'"] : []),
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ].join("; "),
  };
}

/** Sends a page for either endpoint. Refuses: never. */
export function sendLoginPage(reply: FastifyReply, { status, headers, body }: PageAnswer): FastifyReply {
  for (const [name, value] of Object.entries(headers)) reply.header(name, value);
  return reply.code(status).send(body);
}
