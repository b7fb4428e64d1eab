import { button, element, find, notice } from "@dataspace/ui/dom/element";
import type { Activity } from "../activity/activity.ts";
import { focusHeading } from "../focus.ts";
import { onPress } from "../run-act.ts";
import type { Wallet } from "../wallet.ts";
import type { Identity } from "./identities.ts";
import { writeIdentityFile } from "./identity-file.ts";
import { IDENTITY_FILE_TEXTS } from "./identity-texts.ts";
import { shownName } from "./shown-name.ts";

interface ForgetDeps {
  readonly wallet: Wallet;
  readonly activity: Activity;
}

/** Lets the visitor export the selected identity to a file, and forget it after a warning. Source: S3 "Sandbox". */
export function openForget(deps: ForgetDeps, output: HTMLElement): void {
  const { wallet, activity } = deps;
  onPress(find("export", HTMLButtonElement), { output, activity, doing: IDENTITY_FILE_TEXTS.export }, () =>
    exportIdentity(wallet, wallet.identities.selected()),
  );
  // The first press says what is lost; the second does it.
  find("forget", HTMLButtonElement).addEventListener("click", () => {
    const identity = wallet.identities.selected();
    if (identity !== undefined) askToForget(deps, { output, identity });
  });
}

async function exportIdentity(wallet: Wallet, identity: Identity | undefined): Promise<string> {
  if (identity === undefined) throw new Error(IDENTITY_FILE_TEXTS.select);
  const text = await writeIdentityFile(identity, wallet.keys);
  const href = `data:application/json;charset=utf-8,${encodeURIComponent(text)}`;
  const name = identity.displayName.slice(0, 40).replaceAll(/\W+/g, "-").toLowerCase();
  element("a", { href, download: `dataspace-${name}.json` }).click();
  return IDENTITY_FILE_TEXTS.exported(identity.ename);
}

function askToForget(
  { wallet, activity }: ForgetDeps,
  { output, identity }: { readonly output: HTMLElement; readonly identity: Identity },
): void {
  const first = button(IDENTITY_FILE_TEXTS.exportFirst);
  const really = button(IDENTITY_FILE_TEXTS.confirm(shownName(identity)), "danger");
  const cancel = button(IDENTITY_FILE_TEXTS.keep);
  const said = element("div", { "aria-live": "polite" });
  const asked = notice(
    "warn",
    element("p", {}, IDENTITY_FILE_TEXTS.warning),
    element("div", { class: "row" }, first, really, cancel),
    said,
  );
  output.querySelector(".notice")?.remove();
  output.append(asked);
  first.focus();
  cancel.addEventListener("click", () => {
    asked.remove();
    find("forget", HTMLButtonElement).focus();
  });
  onPress(first, { output: said, activity, doing: IDENTITY_FILE_TEXTS.export }, async () => {
    const sentence = await exportIdentity(wallet, identity);
    said.replaceChildren(element("p", {}, IDENTITY_FILE_TEXTS.exportedHint));
    return sentence;
  });
  onPress(really, { output: said, activity, doing: IDENTITY_FILE_TEXTS.forget }, async () => {
    await wallet.keys.remove(identity.keyId);
    wallet.identities.forget(identity.ename);
    focusHeading(find("identity-facts", HTMLElement));
    return IDENTITY_FILE_TEXTS.forgot(identity.ename);
  });
}
