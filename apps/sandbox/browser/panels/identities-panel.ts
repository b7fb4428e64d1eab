import type { ActionLog } from "../action-log.ts";
import { copyable, element, facts, find, notice } from "../element.ts";
import type { Identity } from "../identities.ts";
import { readIdentityFile, writeIdentityFile } from "../identity-file.ts";
import type { Wallet } from "../wallet.ts";
import { tellFault, whileBusy } from "./while-busy.ts";

interface IdentitiesPanelDeps {
  readonly wallet: Wallet;
  readonly log: ActionLog;
}

/**
 * Shows the identities, and lets the visitor choose, export, import and forget one. Source: S3 "Sandbox", identities.
 */
export function openIdentitiesPanel(deps: IdentitiesPanelDeps): void {
  const { identities } = deps.wallet;
  const choice = find("identity", HTMLSelectElement);
  const output = find("identity-facts", HTMLElement);
  const buttons = ["export", "forget"].map((id) => find(id, HTMLButtonElement));
  choice.addEventListener("change", () => identities.select(choice.value));
  const show = (): void => {
    const selected = identities.selected();
    const options = identities.list().map(({ ename, displayName }) => toOption(ename, displayName, selected));
    choice.replaceChildren(...(options.length > 0 ? options : [element("option", { value: "" }, "None yet")]));
    choice.disabled = options.length === 0;
    for (const button of buttons) button.disabled = selected === undefined;
    output.replaceChildren(...(selected === undefined ? [] : [about(selected)]));
  };
  identities.onChange(show);
  show();
  openExport(deps, output);
  openImport(deps, output);
  openForget(deps, output);
}

function toOption(ename: string, displayName: string, selected: Identity | undefined): HTMLElement {
  return element("option", { value: ename, selected: ename === selected?.ename }, `${displayName} (${ename})`);
}

function about({ ename, vaultUrl }: Identity): HTMLElement {
  return facts([
    ["eName", copyable(ename, "the eName")],
    ["Vault", copyable(vaultUrl, "the vault's address")],
  ]);
}

function openExport({ wallet, log }: IdentitiesPanelDeps, output: HTMLElement): void {
  whileBusy(find("export", HTMLButtonElement), { output, log, act: "Export" }, async () => {
    const identity = wallet.identities.selected();
    if (identity === undefined) return;
    const text = await writeIdentityFile(identity, wallet.keys);
    const href = `data:application/json;charset=utf-8,${encodeURIComponent(text)}`;
    const name = identity.displayName.replaceAll(/\W+/g, "-").toLowerCase();
    element("a", { href, download: `dataspace-${name}.json` }).click();
    log.say("ok", `Exported ${identity.ename}: whoever has the file is its owner`);
  });
}

function openImport({ wallet, log }: IdentitiesPanelDeps, output: HTMLElement): void {
  const file = find("import-file", HTMLInputElement);
  find("import", HTMLButtonElement).addEventListener("click", () => file.click());
  file.addEventListener("change", async () => {
    try {
      const { identity, key } = await readIdentityFile((await file.files?.[0]?.text()) ?? "");
      await wallet.keys.put(identity.keyId, key);
      wallet.identities.put(identity);
      log.say("ok", `Imported ${identity.ename}`);
    } catch (error) {
      tellFault({ output, log, act: "Import" }, error);
    }
    file.value = "";
  });
}

// The first press says what is lost; the second does it.
function openForget({ wallet, log }: IdentitiesPanelDeps, output: HTMLElement): void {
  whileBusy(find("forget", HTMLButtonElement), { output, log, act: "Forget" }, async () => {
    const identity = wallet.identities.selected();
    if (identity === undefined) return;
    const really = element("button", { type: "button", class: "danger" }, `Forget ${identity.displayName}`);
    const warning =
      "Its key is lost with it, and nobody can act as this identity again unless it was exported. The vault stays.";
    output.querySelector(".notice")?.remove();
    output.append(notice("warn", element("p", {}, warning), element("div", { class: "row" }, really)));
    really.focus();
    whileBusy(really, { output, log, act: "Forget" }, async () => {
      await wallet.keys.remove(identity.keyId);
      wallet.identities.forget(identity.ename);
      log.say("ok", `Forgot ${identity.ename}`);
    });
  });
}
