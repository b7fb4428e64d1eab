import { copyable, find } from "@dataspace/ui/dom/element";
import { signText } from "@dataspace/wallet/sign-text";
import type { Activity } from "../activity/activity.ts";
import { onPress } from "../run-act.ts";
import type { Wallet } from "../wallet.ts";

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
  onPress(sign, { output, activity, doing: "Sign a text" }, async (action) => {
    const identity = identities.selected();
    if (identity === undefined) throw new Error("Provision an identity first.");
    const signature = await signText(await wallet.keyOf(identity), payload.value);
    if (identities.selected()?.ename === identity.ename) output.replaceChildren(copyable(signature, "the signature"));
    action.say("Signed this text", payload.value);
    return `Signed ${payload.value.length} characters as ${identity.ename}`;
  });
}
