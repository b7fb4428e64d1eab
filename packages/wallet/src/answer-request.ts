import type { EName } from "@dataspace/protocol/ename";
import type { AuthRequest, SignRequest } from "./parse-wallet-uri.ts";
import { type SendDeps, sendAnswer } from "./send-answer.ts";
import { assertNoToken } from "./sign-data.ts";
import { signSession } from "./sign-session.ts";
import { signText } from "./sign-text.ts";
import type { WalletKey } from "./wallet-key.ts";

/** The answering identity: an eName with a certified key; `appVersion`, where given, is sent to platforms. */
export interface Signer {
  readonly ename: EName;
  readonly key: Pick<WalletKey, "sign" | "encoding">;
  readonly appVersion?: string;
}

/** The body that a platform receives for a login. */
export interface AuthAnswer {
  readonly ename: EName;
  readonly session: string;
  readonly signature: string;
  readonly appVersion?: string;
}

/** The body that a platform receives for a signature; `message` is the signed text. */
export interface SignAnswer {
  readonly sessionId: string;
  readonly signature: string;
  readonly dsid: EName;
  readonly message: string;
}

/**
 * Logs a person in at a platform: signs the session and POSTs it to the request's address.
 *
 * Out: what was sent.
 * Refuses: INVALID_SESSION, KEY_FAILED, PLATFORM_UNAVAILABLE, PLATFORM_REFUSED.
 * Source: S2 "Login flow", 3; decisions I8, I10.
 */
export async function authenticate(deps: SendDeps, request: AuthRequest, signer: Signer): Promise<AuthAnswer> {
  const answer = await signAuth(request, signer);
  await sendAnswer(deps, request.redirect, answer);
  return answer;
}

/**
 * Logs a person in on the phone that shows the platform: returns the address to open in its browser, with the answer in
 * its query.
 *
 * Out: `/deeplink-login` at the origin of the request's redirect; its path is dropped.
 * Refuses: INVALID_SESSION, KEY_FAILED.
 * Source: S2 "Endpoints" (GET /deeplink-login), "Settings" (DS_OIDC_ISSUER).
 */
export async function makeLoginLink(request: AuthRequest, signer: Signer): Promise<string> {
  const link = new URL("/deeplink-login", request.redirect);
  for (const [name, value] of Object.entries(await signAuth(request, signer))) link.searchParams.set(name, value);
  return link.href;
}

/**
 * Signs the text of a signing request, after the person has seen it, and POSTs it to the request's address.
 *
 * Out: what was sent.
 * Refuses: INVALID_SESSION and TOKEN_TO_SIGN for any request; KEY_FAILED, PLATFORM_UNAVAILABLE, PLATFORM_REFUSED.
 * Source: S3 "Sandbox"; decision I10.
 */
export async function answerSignRequest(deps: SendDeps, request: SignRequest, signer: Signer): Promise<SignAnswer> {
  const isSession = request.text === request.session;
  if (!isSession) assertNoToken(request.text);
  const signature = await (isSession ? signSession : signText)(signer.key, request.text);
  const answer = { sessionId: request.session, signature, dsid: signer.ename, message: request.text };
  await sendAnswer(deps, request.redirect, answer);
  return answer;
}

async function signAuth({ session }: AuthRequest, signer: Signer): Promise<AuthAnswer> {
  const { ename, key, appVersion } = signer;
  const signature = await signSession(key, session);
  return { ename, session, signature, ...(appVersion === undefined ? {} : { appVersion }) };
}
