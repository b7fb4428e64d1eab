import { visibleText } from "@dataspace/ui/shapes/visible-text";
import type { AuthRequest, SignRequest } from "@dataspace/wallet/parse-wallet-uri";
import { shorten } from "../shown-text.ts";
import { CONSENT_TEXTS, WISH_TEXTS } from "./consent-texts.ts";

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

/**
 * Says what a request asks for. In: the acting identity's name, undefined where there is none yet.
 *
 * Refuses: never. Source: decision I10.
 */
export function consentWords(request: AuthRequest | SignRequest, name: string | undefined): ConsentWords {
  const { host } = new URL(request.redirect);
  const { kind } = request.meaning;
  const isLogin = request.kind === "auth";
  const texts = WISH_TEXTS[isLogin ? "login" : kind];
  const wish = texts.wish(host);
  return {
    host,
    callsItself: isLogin && request.platform !== undefined ? visibleText(shorten(request.platform, 120)) : undefined,
    wish: name === undefined ? wish : CONSENT_TEXTS.wishAs(wish, name),
    done: texts.done(host),
    isGrave: kind !== "session" && kind !== "text",
  };
}
