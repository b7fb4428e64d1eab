import { answerSignRequest, authenticate } from "@dataspace/wallet/answer-request";
import type { WalletRequest } from "@dataspace/wallet/parse-wallet-uri";
import type { WalletKey } from "@dataspace/wallet/wallet-key";
import type { Action } from "../activity/activity.ts";
import type { Identity } from "../identity/identities.ts";
import { consentWords } from "./consent-words.ts";
import { reportingKey } from "./reporting-key.ts";

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
  if (request.kind === "file") throw new Error("A file needs no signature. Open it in the vault of its owner.");
  const { host, done } = consentWords(request, undefined);
  const say = (): void => action.say(`Signed as ${identity.ename} for ${host}`, request.text);
  const signer = { ename: identity.ename, key: reportingKey(key, say) };
  if (request.kind === "auth") {
    await authenticate(action, request, signer);
    return { sentence: done, shown: `logged in at ${host}: it accepted the signature.` };
  }
  await answerSignRequest(action, request, signer);
  return { sentence: done, shown: `signed, and ${host} accepted the signature.` };
}
