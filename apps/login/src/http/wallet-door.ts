import { Refusal } from "@dataspace/service-kit/http/refusal";
import { readWalletAnswer, type WalletAnswer } from "@dataspace/wallet-login/wallet-answer";
import type { AnswerFailure } from "@dataspace/wallet-login/pending-logins";
import { type LoginErrorCode, loginRefusal } from "../errors.ts";
import type { CheckLogin } from "../logins/check-login.ts";
import { findOwnLogin, type Logins } from "../logins/logins.ts";
import type { LoginCookies } from "./login-cookie.ts";
import type { LoginPages, MessageWords } from "./login-pages.ts";
import { sendLoginPage } from "./send-login-page.ts";
import type { FastifyInstance } from "fastify";

/** What taking a wallet's answer works with. `onOutcome` receives the result of every answer, with the client it was for. */
export interface WalletDoorDeps {
  readonly logins: Logins;
  readonly cookies: LoginCookies;
  readonly pages: LoginPages;
  readonly check: CheckLogin;
  readonly onOutcome: (result: LoginResult) => void;
}

/** How an answer ended, without the name of anybody. `clientId` is empty for the portal, and undefined for an unknown session. */
export interface LoginResult {
  readonly session: string;
  readonly clientId: string | undefined;
  readonly outcome: "signed" | AnswerFailure;
}

const CODES: Readonly<Record<AnswerFailure, readonly [LoginErrorCode, string]>> = {
  bad_signature: ["SIGNATURE_INVALID", "No certified key of this eName signed the session. Ask for a new code."],
  no_certificate: [
    "NO_CERTIFICATE",
    "This eName has no certified key. Finish the wallet's set-up, then ask for a new code.",
  ],
  unknown_ename: [
    "UNKNOWN_ENAME",
    "The registry knows no vault of this eName. Check the wallet, then ask for a new code.",
  ],
  upstream_timeout: ["UPSTREAM_TIMEOUT", "The registry or the vault did not answer in time. Ask for a new code."],
  upstream_unavailable: ["UPSTREAM_UNAVAILABLE", "The registry or the vault cannot be reached. Ask for a new code."],
  unknown_session: [
    "UNKNOWN_SESSION",
    "This code is not known, or a newer one replaced it. Open the login page again.",
  ],
  session_used: ["SESSION_USED", "This code is used already. Ask for a new code on the login page."],
  session_expired: ["SESSION_EXPIRED", "This code is too old. Ask for a new code on the login page."],
};

/** What the page of a refused deep link says, in the reader's language. */
const WORDS_BY_CODE: Readonly<Record<string, MessageWords["message"]>> = {
  SIGNATURE_INVALID: "bad_signature",
  NO_CERTIFICATE: "no_certificate",
  UNKNOWN_ENAME: "unknown_ename",
  UPSTREAM_TIMEOUT: "upstream_timeout",
  UPSTREAM_UNAVAILABLE: "upstream_unavailable",
  UNKNOWN_SESSION: "over",
  SESSION_USED: "over",
  SESSION_EXPIRED: "expired",
};

/**
 * Takes wallets' answers: `POST /ds/callback` `{ename, session, signature}` answers `{ok: true}`; `GET /deeplink-login` with the
 * same names as parameters leads the browser that started the login on, and tells any other browser to go back.
 *
 * Refuses: BAD_REQUEST (400), SIGNATURE_INVALID and the other failures (401), UNKNOWN_SESSION (404), SESSION_USED (409),
 * SESSION_EXPIRED (410); the deep link with a page of that status. Source: S2 "Authentication"; decisions L4, L10.
 */
export function mountWalletDoor(app: FastifyInstance, deps: WalletDoorDeps): void {
  const { logins, cookies, pages } = deps;

  app.post("/ds/callback", async (request) => {
    await take(deps, readAnswer(request.body));
    return { ok: true };
  });

  app.get("/deeplink-login", async (request, reply) => {
    let link: MessageWords["link"];
    try {
      const answer = readAnswer(request.query);
      const id = logins.requestOf(answer.session)?.id ?? "";
      const isHere = findOwnLogin(logins, id, cookies.read(request.headers.cookie, id)) !== undefined;
      if (isHere) link = { href: `/login/${id}`, text: "newCode" };
      await take(deps, answer);
      // A clean address: the signature does not stay in the browser's history.
      if (isHere) return await reply.header("referrer-policy", "no-referrer").redirect(`/login/${id}`, 303);
      const signed = { status: 200, title: "signedElsewhereTitle", message: "signedElsewhere" } as const;
      return sendLoginPage(reply, await pages.message(signed, request.headers));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const message = WORDS_BY_CODE[error.code] ?? { text: error.message };
      const page = {
        status: error.status,
        title: "failedTitle",
        message,
        ...(link === undefined ? {} : { link }),
      } as const;
      return sendLoginPage(reply, await pages.message(page, request.headers));
    }
  });
}

async function take({ logins, check, onOutcome }: WalletDoorDeps, answer: WalletAnswer): Promise<void> {
  const { session } = answer;
  const clientId = logins.requestOf(session)?.clientId;
  const result = await logins.answer(session, () => check(answer));
  onOutcome({ session, clientId, outcome: "signed" in result ? "signed" : result.failure });
  if ("failure" in result) throw loginRefusal(...CODES[result.failure]);
}

function readAnswer(sent: unknown): WalletAnswer {
  const reading = readWalletAnswer(sent);
  if ("fault" in reading) throw loginRefusal("BAD_REQUEST", reading.fault);
  return reading.answer;
}
