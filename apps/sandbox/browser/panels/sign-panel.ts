import { signText } from "@dataspace/wallet/sign-text";
import type { ActionLog } from "../action-log.ts";
import { copyable, find } from "../element.ts";
import type { Wallet } from "../wallet.ts";
import { whileBusy } from "./while-busy.ts";

/** Lets the selected identity sign any text. Source: S3 "Sandbox", sign payload. */
export function openSignPanel({ wallet, log }: { readonly wallet: Wallet; readonly log: ActionLog }): void {
  const { identities } = wallet;
  const payload = find("payload", HTMLTextAreaElement);
  const button = find("sign", HTMLButtonElement);
  const output = find("signature", HTMLElement);
  const show = (): void => {
    button.disabled = identities.selected() === undefined;
  };
  identities.onChange(show);
  show();
  whileBusy(button, { output, log, act: "Sign" }, async () => {
    const identity = identities.selected();
    if (identity === undefined) return;
    const signature = await signText(await wallet.keyOf(identity), payload.value);
    output.replaceChildren(copyable(signature, "the signature"));
    log.say("ok", `Signed ${payload.value.length} characters as ${identity.ename}`, payload.value);
  });
}
