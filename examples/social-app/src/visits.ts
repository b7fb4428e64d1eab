import { createHash, randomBytes } from "node:crypto";
import { createSecret, isTextOf } from "@dataspace/service-kit/secret";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import { PageRefusal } from "./page-refusal.ts";
import type { VisitStore } from "./store.ts";

/** A session of somebody who has logged in. */
export interface Visit {
  readonly ename: EName;
  /** The hidden field `token` of each form. */
  readonly formToken: string;
}

/** Sessions in cookies. */
export interface Visits {
  /** Out: the value of Set-Cookie. */
  readonly begin: (ename: EName) => Promise<string>;
  readonly find: (request: Request) => Promise<Visit | undefined>;
  /** Out: the value of Set-Cookie. */
  readonly end: (request: Request) => Promise<string>;
  /** Checks that a form comes from a page of this session. Refuses: PageRefusal 403. */
  readonly assertOwnForm: (request: Request, visit: Visit, form: FormData) => void;
}

const VISIT_SECONDS = 43_200;
const SECRET_BYTES = 32;

/**
 * Makes the sessions. The cookie holds a secret, the store its hash, so that a copy of the database opens no session.
 *
 * Refuses: what the store refuses. Source: OWASP Session Management and Cross-Site Request Forgery Prevention cheat sheets.
 */
export function createVisits(
  { store, clock }: { readonly store: VisitStore; readonly clock: Clock },
  { name, publicUrl }: { readonly name: string; readonly publicUrl: string },
): Visits {
  const isSecure = publicUrl.startsWith("https:");
  // Under https no other host of the domain can set a cookie of this name (RFC 6265bis, 4.1.3.2).
  // Ports of one host share their cookies, so each platform has a name of its own.
  const cookieName = `${isSecure ? "__Host-" : ""}${name.toLowerCase()}_visit`;
  const cookie = (value: string, seconds: number): string =>
    `${cookieName}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure ? "; Secure" : ""}`;
  const secretOf = (request: Request): string | undefined => findCookie(request.headers.get("cookie"), cookieName);
  return {
    begin: async (ename) => {
      const secret = randomBytes(SECRET_BYTES).toString("base64url");
      await store.begin({ key: digest("visit", secret), ename, endsAtMs: clock.nowMs() + VISIT_SECONDS * 1_000 });
      return cookie(secret, VISIT_SECONDS);
    },
    find: async (request) => {
      const secret = secretOf(request);
      if (secret === undefined) return undefined;
      const ename = await store.find(digest("visit", secret), clock.nowMs());
      return ename === undefined ? undefined : { ename, formToken: digest("form", secret) };
    },
    end: async (request) => {
      const secret = secretOf(request);
      if (secret !== undefined) await store.end(digest("visit", secret));
      return cookie("", 0);
    },
    assertOwnForm: (request, { formToken }, form) => {
      const site = request.headers.get("sec-fetch-site");
      const origin = request.headers.get("origin");
      const isOwnSite = site === null ? origin === null || origin === publicUrl : site === "same-origin";
      const token = form.get("token");
      if (isOwnSite && typeof token === "string" && isTextOf(createSecret(formToken), token)) return;
      throw new PageRefusal(403, "Not sent", "Open the page again and send the form from there.");
    },
  };
}

function digest(purpose: string, secret: string): string {
  return createHash("sha256").update(`${purpose}:${secret}`).digest("base64url");
}

function findCookie(header: string | null, name: string): string | undefined {
  const found = (header ?? "")
    .split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`));
  const value = found?.slice(name.length + 1);
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
}
