import type { IncomingHttpHeaders } from "node:http";
import { findOwnLogin, type Logins } from "../logins/logins.ts";
import type { LoginRequest, PageAnswer } from "../provider/op-core.ts";
import type { LoginCookies } from "./login-cookie.ts";
import type { LoginPages } from "./login-pages.ts";

/** The pages that /authorize answers with. */
export interface RequestPages {
  /** Opens a login for a valid request and shows its code; 503 while too many are open. */
  readonly login: (request: LoginRequest, headers: IncomingHttpHeaders) => Promise<PageAnswer>;
  /** Explains why a request is not redirected. */
  readonly error: (error: Error, headers: IncomingHttpHeaders) => Promise<PageAnswer>;
}

/** The dependencies of these pages. `forget` drops the authorization request of a login that could not be opened. */
export interface RequestPagesDeps {
  readonly logins: Logins;
  readonly cookies: LoginCookies;
  readonly pages: LoginPages;
  readonly forget: (id: string) => Promise<void>;
}

const RETRY_AFTER_SECONDS = "60";
const FULL = { status: 503, title: "fullTitle", message: "full" } as const;
const ERROR_TEXT: Readonly<Record<string, string>> = {
  invalid_client: "The application's client id is not known here.",
  invalid_redirect_uri: "The application asked to return to an address that is not registered for it.",
};

/** Makes the pages of /authorize. Refuses: never by itself. Source: S2 "Login flow", "Errors"; decision L12. */
export function createRequestPages({ logins, cookies, pages, forget }: RequestPagesDeps): RequestPages {
  return {
    login: async (request, headers) => {
      const secret = logins.open(request);
      const view = findOwnLogin(logins, request.id, secret);
      if (secret === undefined || view === undefined) {
        await forget(request.id);
        return fullPage(pages, headers, request.uiLocales);
      }
      const page = await pages.login(view, headers);
      return { ...page, headers: { ...page.headers, "set-cookie": cookies.write(request.id, secret) } };
    },
    error: (error, headers) => {
      const { error: code = "server_error", status = 500 } = error as { error?: string; status?: number };
      return pages.message({ status, title: "refusedTitle", message: { text: textOf(error, code, status) } }, headers);
    },
  };
}

/** Writes the page for a login that finds no room. Refuses: never by itself. Source: decision L12. */
export async function fullPage(
  pages: Pick<LoginPages, "message">,
  headers: IncomingHttpHeaders,
  uiLocales?: string,
): Promise<PageAnswer> {
  const page = await pages.message(FULL, headers, uiLocales);
  return { ...page, headers: { ...page.headers, "retry-after": RETRY_AFTER_SECONDS } };
}

function textOf(error: Error, code: string, status: number): string {
  const known = ERROR_TEXT[code];
  if (known !== undefined) return known;
  if (status >= 500) return "Something went wrong here. Start again at the application.";
  const { error_description: description = code } = error as { error_description?: string };
  return `The application sent a request that cannot start a login: ${description}.`;
}
