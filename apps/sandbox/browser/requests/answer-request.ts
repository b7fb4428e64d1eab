import { answerSignRequest, authenticate } from "@dataspace/wallet/answer-request";
import type { WalletRequest } from "@dataspace/wallet/parse-wallet-uri";
import type { WalletKey } from "@dataspace/wallet/wallet-key";
import type { Action } from "../activity/activity.ts";
import type { Identity } from "../identity/identities.ts";
import { consentWords } from "./consent-words.ts";
import { reportingKey } from "./reporting-key.ts";
import { REQUESTS_TEXTS } from "./requests-texts.ts";

/** What answering a request did: for the log, and for the person. */
export interface Answered {
  readonly sentence: string;
  readonly shown: string;
}

/**
 * Signs a request as an identity and sends the signature to the platform. The log shows the signature as soon as it is
 * made.
 *
 * Refuses: an Error for a file, which needs no signature; what `authenticate` and `answerSignRequest` refuse.
 * Source: S3 "Sandbox"; decision I10.
 */
export async function answerRequest(
  deps: { readonly action: Action; readonly identity: Identity; readonly key: WalletKey },
  request: WalletRequest,
): Promise<Answered> {
  const { action, identity, key } = deps;
  if (request.kind === "file") throw new Error(REQUESTS_TEXTS.fileNeedsNone);
  const { host, done } = consentWords(request, undefined);
  const say = (): void => action.say(REQUESTS_TEXTS.signed(identity.ename, host), request.text);
  const signer = { ename: identity.ename, key: reportingKey(key, say) };
  if (request.kind === "auth") {
    await authenticate(action, request, signer);
    return { sentence: done, shown: REQUESTS_TEXTS.loggedIn(host) };
  }
  await answerSignRequest(action, request, signer);
  return { sentence: done, shown: REQUESTS_TEXTS.accepted(host) };
}
