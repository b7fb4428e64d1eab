import { parseEName } from "@dataspace/protocol/ename";
import { Refusal } from "@dataspace/service-kit/http/refusal";
import { type LoginErrorCode, loginRefusal } from "../errors.ts";
import type { LoginFailure } from "../logins/login-entry.ts";
import type { PendingLogins } from "../logins/pending-logins.ts";
import type { CheckWalletAnswer, WalletAnswer } from "../logins/wallet-check.ts";
import type { LoginCookies } from "./login-cookie.ts";
import type { LoginPages } from "./login-pages.ts";
import { sendLoginPage } from "./send-login-page.ts";
import type { FastifyInstance } from "fastify";

/** The dependencies of a wallet's answer. `onOutcome` receives the outcome of each checked answer. */
export interface WalletDoorDeps {
  readonly logins: PendingLogins;
  readonly cookies: LoginCookies;
  readonly pages: LoginPages;
  readonly check: CheckWalletAnswer;
  readonly onOutcome: (outcome: "signed" | LoginFailure) => void;
}

const LONGEST_TEXT = 1_024;
const CODES: Readonly<Record<LoginFailure, readonly [LoginErrorCode, string]>> = {
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
};

/**
 * Accepts wallets' answers. `POST /ds/callback` `{ename, session, signature}` answers `{ok: true}`. `GET
 * /deeplink-login` with the same names as parameters continues in the browser that started the login, and asks any
 * other browser to go back.
 *
 * Refuses: BAD_REQUEST (400), SIGNATURE_INVALID and the other failures (401), UNKNOWN_SESSION (404), SESSION_USED
 * (409), SESSION_EXPIRED (410); the deep link with a page of that status. Source: S2 "Authentication"; decisions L4,
 * L10.
 */
export function mountWalletDoor(app: FastifyInstance, deps: WalletDoorDeps): void {
  const { logins, cookies, pages } = deps;

  app.post("/ds/callback", async (request) => {
    await take(deps, readAnswer(request.body));
    return { ok: true };
  });

  app.get("/deeplink-login", async (request, reply) => {
    try {
      const answer = readAnswer(request.query);
      const id = logins.idOf(answer.session);
      await take(deps, answer);
      const isHere = id !== undefined && cookies.read(request.headers.cookie, id) !== undefined;
      // A clean address: the signature does not stay in the browser's history.
      if (isHere) return await reply.header("referrer-policy", "no-referrer").redirect(`/login/${id}`, 303);
      const signed = { status: 200, title: "signedElsewhereTitle", message: "signedElsewhere" } as const;
      return sendLoginPage(reply, await pages.message(signed, request.headers));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const page = { status: error.status, title: "refusedTitle", message: { text: error.message } } as const;
      return sendLoginPage(reply, await pages.message(page, request.headers));
    }
  });
}

async function take({ logins, check, onOutcome }: WalletDoorDeps, answer: WalletAnswer): Promise<void> {
  const outcome = await logins.answer(answer.session, () => check(answer));
  onOutcome("signed" in outcome ? "signed" : outcome.failure);
  if ("failure" in outcome) throw loginRefusal(...CODES[outcome.failure]);
}

/** Only the specification's names; others are ignored. A repeated name is not text. */
function readAnswer(sent: unknown): WalletAnswer {
  const { ename, session, signature } = (sent ?? {}) as Readonly<Record<string, unknown>>;
  if (!isShortText(ename) || !isShortText(session) || !isShortText(signature)) {
    throw loginRefusal("BAD_REQUEST", "Send ename, session and signature, each as text of at most 1,024 characters.");
  }
  try {
    return { ename: parseEName(ename), session, signature };
  } catch {
    throw loginRefusal("BAD_REQUEST", "ename is not an eName: write @ and a UUID.");
  }
}

function isShortText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= LONGEST_TEXT;
}
