import { copyable, find } from "@dataspace/ui/dom/element";
import { signText } from "@dataspace/wallet/sign-text";
import type { Activity } from "../activity/activity.ts";
import { PAGE_TEXTS } from "../page-texts.ts";
import { onPress } from "../run-act.ts";
import type { Wallet } from "../wallet.ts";
import { SIGN_TEXTS } from "./requests-texts.ts";

/** Lets the selected identity sign any text. Source: S3 "Sandbox", sign payload. */
export function openSignPanel({ wallet, activity }: { readonly wallet: Wallet; readonly activity: Activity }): void {
  const { identities } = wallet;
  const payload = find("payload", HTMLTextAreaElement);
  const sign = find("sign", HTMLButtonElement);
  const output = find("signature", HTMLElement);
  const show = (): void => {
    sign.disabled = identities.selected() === undefined;
    output.replaceChildren();
  };
  identities.onChange(show);
  show();
  onPress(sign, { output, activity, doing: SIGN_TEXTS.sign }, async (action) => {
    const identity = identities.selected();
    if (identity === undefined) throw new Error(PAGE_TEXTS.noIdentity);
    const signature = await signText(await wallet.keyOf(identity), payload.value);
    if (identities.selected()?.ename === identity.ename)
      output.replaceChildren(copyable(signature, SIGN_TEXTS.signature));
    action.say(SIGN_TEXTS.payload, payload.value);
    return SIGN_TEXTS.signed(payload.value.length, identity.ename);
  });
}
