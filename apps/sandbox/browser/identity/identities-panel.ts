import { avatarElement } from "@dataspace/ui/dom/avatar-element";
import { copyable, element, facts, find } from "@dataspace/ui/dom/element";
import { visibleText } from "@dataspace/ui/shapes/visible-text";
import type { Activity } from "../activity/activity.ts";
import { runAct } from "../run-act.ts";
import type { Wallet } from "../wallet.ts";
import { openForget } from "./forget-identity.ts";
import type { Identity } from "./identities.ts";
import { readIdentityFile } from "./identity-file.ts";
import { IDENTITY_FILE_TEXTS, IDENTITY_TEXTS } from "./identity-texts.ts";
import { shownName } from "./shown-name.ts";

/**
 * Shows the identities, and lets the visitor choose, export, import and forget one. Source: S3 "Sandbox", identities.
 */
export function openIdentitiesPanel(deps: { readonly wallet: Wallet; readonly activity: Activity }): void {
  const { identities } = deps.wallet;
  const choice = find("identity", HTMLSelectElement);
  const output = find("identity-facts", HTMLElement);
  const buttons = ["export", "forget"].map((id) => find(id, HTMLButtonElement));
  choice.addEventListener("change", () => identities.select(choice.value));
  const show = (): void => {
    const selected = identities.selected();
    const options = identities.list().map((identity) => toOption(identity, selected));
    const none = element("option", { value: "" }, IDENTITY_TEXTS.none);
    choice.replaceChildren(opener(), ...(options.length > 0 ? options : [none]));
    choice.disabled = options.length === 0;
    for (const one of buttons) one.disabled = selected === undefined;
    find("no-identity", HTMLElement).hidden = selected !== undefined;
    output.replaceChildren(...(selected === undefined ? [] : [about(selected)]));
  };
  identities.onChange(show);
  show();
  openImport(deps, output);
  openForget(deps, output);
}

// Browsers with customisable selects show avatars in the list; others show the text alone.
function opener(): HTMLElement {
  const chosen = document.createElement("selectedcontent");
  chosen.className = "chosen";
  return element("button", { type: "button", tabindex: "-1" }, chosen);
}

function toOption(identity: Identity, selected: Identity | undefined): HTMLElement {
  const { ename } = identity;
  const text = element("span", { class: "name" }, `${shownName(identity)} `);
  const end = element("span", { class: "mono small" }, `(${ename})`);
  return element(
    "option",
    { value: ename, selected: ename === selected?.ename },
    avatarElement(identity.ename),
    text,
    end,
  );
}

function about(identity: Identity): HTMLElement {
  const { ename, vaultUrl } = identity;
  const name = element(
    "p",
    { class: "person" },
    avatarElement(identity.ename),
    element("strong", {}, shownName(identity)),
  );
  return element(
    "div",
    { class: "stack" },
    name,
    facts([
      [IDENTITY_TEXTS.ename, copyable(ename, IDENTITY_TEXTS.theEName)],
      [IDENTITY_TEXTS.vault, copyable(visibleText(vaultUrl), IDENTITY_TEXTS.vaultAddress)],
    ]),
  );
}

function openImport(
  { wallet, activity }: { readonly wallet: Wallet; readonly activity: Activity },
  output: HTMLElement,
) {
  const file = find("import-file", HTMLInputElement);
  const choose = find("import", HTMLButtonElement);
  choose.addEventListener("click", () => file.click());
  file.addEventListener("change", async () => {
    await runAct(
      { output, activity, doing: IDENTITY_FILE_TEXTS.import },
      async () => {
        const { identity, key } = await readIdentityFile((await file.files?.[0]?.text()) ?? "");
        await wallet.keys.put(identity.keyId, key);
        wallet.identities.put(identity);
        return IDENTITY_FILE_TEXTS.imported(identity.ename);
      },
      () => choose.click(),
    );
    file.value = "";
  });
}
