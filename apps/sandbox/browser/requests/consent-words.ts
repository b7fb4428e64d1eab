import { visibleText } from "@dataspace/ui/shapes/visible-text";
import type { AuthRequest, SignRequest } from "@dataspace/wallet/parse-wallet-uri";
import type { TextKind } from "@dataspace/wallet/text-meaning";
import { shorten } from "../shown-text.ts";

/** What a person is asked to consent to, in words. */
export interface ConsentWords {
  /** The host that gets the signature: the only part that the request cannot make up. */
  readonly host: string;
  /** The platform's own name for itself, which nobody has checked. */
  readonly callsItself: string | undefined;
  /** One plain sentence: what is wanted. */
  readonly wish: string;
  /** What the log says after it is done. */
  readonly done: string;
  /** Whether the signature does more than log in or confirm a text. */
  readonly isGrave: boolean;
}

const WISHES: Readonly<Record<TextKind, readonly [wish: string, done: string]>> = {
  session: ["Confirm a session for", "Signed a session for"],
  text: ["Sign a text for", "Signed a text for"],
  handshake: ["Answer a platform handshake for", "Signed a handshake for"],
  deployment: ["Authorise a deployment for", "Signed a deployment for"],
  release: ["Submit a release for", "Signed a release for"],
  accessPolicy: ["Change which platforms may reach your vault, for", "Signed an access policy for"],
  signedReading: ["State a reading about somebody for", "Signed a reading for"],
  review: ["Decide as a reviewer for", "Signed a reviewer's decision for"],
  bindingDocument: ["Sign a binding document for", "Signed a binding document for"],
  tokenInput: ["Make a token that acts as you, for", "Signed a token for"],
};

/**
 * Says what a request asks for. In: the acting identity's name, undefined where there is none yet.
 *
 * Refuses: never. Source: decision I10.
 */
export function consentWords(request: AuthRequest | SignRequest, name: string | undefined): ConsentWords {
  const { host } = new URL(request.redirect);
  const as = name === undefined ? "" : ` as ${name}`;
  const { kind } = request.meaning;
  const isGrave = kind !== "session" && kind !== "text";
  if (request.kind === "auth") {
    const callsItself = request.platform === undefined ? undefined : visibleText(shorten(request.platform, 120));
    return { host, callsItself, wish: `Log in to ${host}${as}`, done: `Signed the login session for ${host}`, isGrave };
  }
  const [wish, done] = WISHES[kind];
  return { host, callsItself: undefined, wish: `${wish} ${host}${as}`, done: `${done} ${host}`, isGrave };
}
