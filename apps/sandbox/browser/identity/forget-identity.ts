import { button, element, find, notice } from "@dataspace/ui/dom/element";
import type { Activity } from "../activity/activity.ts";
import { focusHeading } from "../focus.ts";
import { onPress } from "../run-act.ts";
import type { Wallet } from "../wallet.ts";
import type { Identity } from "./identities.ts";
import { writeIdentityFile } from "./identity-file.ts";
import { shownName } from "./shown-name.ts";

interface ForgetDeps {
  readonly wallet: Wallet;
  readonly activity: Activity;
}

/** Lets the visitor export the selected identity to a file, and forget it after a warning. Source: S3 "Sandbox". */
export function openForget(deps: ForgetDeps, output: HTMLElement): void {
  const { wallet, activity } = deps;
  onPress(find("export", HTMLButtonElement), { output, activity, doing: "Export an identity" }, () =>
    exportIdentity(wallet, wallet.identities.selected()),
  );
  // The first press says what is lost; the second does it.
  find("forget", HTMLButtonElement).addEventListener("click", () => {
    const identity = wallet.identities.selected();
    if (identity !== undefined) askToForget(deps, { output, identity });
  });
}

async function exportIdentity(wallet: Wallet, identity: Identity | undefined): Promise<string> {
  if (identity === undefined) throw new Error("Select an identity first.");
  const text = await writeIdentityFile(identity, wallet.keys);
  const href = `data:application/json;charset=utf-8,${encodeURIComponent(text)}`;
  const name = identity.displayName.slice(0, 40).replaceAll(/\W+/g, "-").toLowerCase();
  element("a", { href, download: `dataspace-${name}.json` }).click();
  return `Exported ${identity.ename}: whoever has the file is its owner`;
}

function askToForget(
  { wallet, activity }: ForgetDeps,
  { output, identity }: { readonly output: HTMLElement; readonly identity: Identity },
): void {
  const first = button("Export first");
  const really = button(`Forget ${shownName(identity)}`, "danger");
  const cancel = button("Keep it");
  const warning =
    "The browser deletes its key. Unless you exported the identity, nobody can act as it again. The vault stays.";
  const said = element("div", { "aria-live": "polite" });
  const asked = notice(
    "warn",
    element("p", {}, warning),
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
  onPress(first, { output: said, activity, doing: "Export an identity" }, async () => {
    const sentence = await exportIdentity(wallet, identity);
    said.replaceChildren(element("p", {}, "Exported. Keep the file where only you can read it."));
    return sentence;
  });
  onPress(really, { output: said, activity, doing: "Forget an identity" }, async () => {
    await wallet.keys.remove(identity.keyId);
    wallet.identities.forget(identity.ename);
    focusHeading(find("identity-facts", HTMLElement));
    return `Forgot ${identity.ename}`;
  });
}
