import { button, element, find, notice } from "@dataspace/ui/dom/element";
import type { Action, Activity } from "../activity/activity.ts";
import type { Areas } from "../areas.ts";
import type { Identity } from "../identity/identities.ts";
import { PAGE_TEXTS } from "../page-texts.ts";
import { onPress, runAct } from "../run-act.ts";
import type { Wallet } from "../wallet.ts";
import { newRecordForm } from "./new-record.ts";
import { POLICY_TEXTS } from "./policy-texts.ts";
import type { VaultRecord } from "./record.ts";
import { createRecordList } from "./record-list.ts";
import { type RecordExits, recordView } from "./record-view.ts";
import { rollBack } from "./records.ts";
import { uploadFile } from "./upload-file.ts";
import { openVault, type VaultConnection } from "./vault-connection.ts";
import { VAULT_TEXTS } from "./vault-texts.ts";

/** Shows the vault of the selected identity: a list of records, or one of them. Source: S1 "GraphQL API". */
export function openVaultPanel({ wallet, activity, areas }: PanelDeps & { readonly areas: Areas }): void {
  const output = find("records", HTMLElement);
  const toolbar = find("vault-tools", HTMLFormElement);
  const said = element("div", { "aria-live": "polite" });
  const place = element("div", { class: "stack" });
  const empty = [...output.childNodes];
  const list = createRecordList(
    { activity, toolbar, vaultOf: (action) => vaultOf(wallet, wallet.identities.selected(), action) },
    (record) => open(record),
  );
  let isStale = false;
  const showList = (): void => {
    toolbar.hidden = false;
    place.replaceChildren(list.element);
  };
  const open = (record: VaultRecord): void => {
    const identity = wallet.identities.selected();
    if (identity === undefined) return;
    toolbar.hidden = true;
    said.replaceChildren();
    const deps = { owner: identity.ename, activity, vaultOf: (action: Action) => vaultOf(wallet, identity, action) };
    const back = (): void => {
      showList();
      list.reload(record.id);
    };
    const removed: RecordExits["removed"] = (gone) => {
      // Meanwhile another identity may have been chosen, whose list this is not.
      if (!view.isConnected) return;
      showList();
      said.replaceChildren(undoNotice({ activity, vaultOf: deps.vaultOf, said, reload: list.reload }, gone));
      said.querySelector("button")?.focus();
      list.reload(record.id);
    };
    const view = recordView(deps, record, { back, removed });
    place.replaceChildren(view);
    place.querySelector("h3")?.focus();
  };
  const reset = (): void => {
    const identity = wallet.identities.selected();
    said.replaceChildren();
    toolbar.hidden = identity === undefined;
    output.replaceChildren(...(identity === undefined ? empty : [said, place]));
    if (identity === undefined) return;
    showList();
    isStale = true;
    loadWhenShown();
  };
  // Nothing is asked before the visitor looks.
  const loadWhenShown = (): void => {
    if (!isStale || areas.current() !== "vault") return;
    isStale = false;
    list.reload();
  };
  areas.onShow(loadWhenShown);
  openCreation({ wallet, activity }, { place, toolbar, open, showList });
  openUpload({ wallet, activity }, said, () => list.reload());
  wallet.identities.onChange(reset);
  reset();
}

interface Undo {
  readonly activity: Activity;
  readonly vaultOf: (action: Action) => Promise<VaultConnection>;
  readonly said: HTMLElement;
  readonly reload: (focusId?: string) => void;
}

function undoNotice(
  { activity, vaultOf, said, reload }: Undo,
  { id, title, version }: { readonly id: string; readonly title: string; readonly version: number },
): HTMLElement {
  const pressed = button(VAULT_TEXTS.undo, "quiet small");
  const output = element("div", { "aria-live": "polite" });
  const shown = notice("plain", element("div", { class: "row" }, VAULT_TEXTS.deleted(title), pressed), output);
  onPress(pressed, { output, activity, doing: VAULT_TEXTS.undoing }, async (action) => {
    await rollBack(await vaultOf(action), id, version);
    if (shown.isConnected) {
      said.replaceChildren(notice("ok", VAULT_TEXTS.isBack(title)));
      reload(id);
    }
    return VAULT_TEXTS.restored(title);
  });
  return shown;
}

async function vaultOf(wallet: Wallet, identity: Identity | undefined, action: Action): Promise<VaultConnection> {
  if (identity === undefined) throw new Error(PAGE_TEXTS.noIdentity);
  return openVault({ action, key: await wallet.keyOf(identity) }, identity);
}

interface PanelDeps {
  readonly wallet: Wallet;
  readonly activity: Activity;
}

function openCreation(
  { wallet, activity }: PanelDeps,
  panel: {
    readonly place: HTMLElement;
    readonly toolbar: HTMLElement;
    readonly open: (record: VaultRecord) => void;
    readonly showList: () => void;
  },
): void {
  const create = find("new-record", HTMLButtonElement);
  create.addEventListener("click", () => {
    const identity = wallet.identities.selected();
    const deps = { activity, vaultOf: (action: Action) => vaultOf(wallet, identity, action) };
    const cancel = (): void => {
      panel.showList();
      create.focus();
    };
    panel.toolbar.hidden = true;
    panel.place.replaceChildren(newRecordForm(deps, { cancel, created: panel.open }));
    panel.place.querySelector("h3")?.focus();
  });
}

function openUpload({ wallet, activity }: PanelDeps, said: HTMLElement, reload: () => void): void {
  const file = find("upload-file", HTMLInputElement);
  const upload = find("upload", HTMLButtonElement);
  const send = async (chosen: File): Promise<void> => {
    const identity = wallet.identities.selected();
    const act = async (action: Action): Promise<string> => {
      await uploadFile(await vaultOf(wallet, identity, action), chosen);
      if (wallet.identities.selected()?.ename === identity?.ename) {
        said.replaceChildren(notice("ok", VAULT_TEXTS.uploaded(POLICY_TEXTS.unshared)));
        reload();
      }
      return VAULT_TEXTS.uploadedBytes(chosen.size);
    };
    await runAct({ output: said, activity, doing: VAULT_TEXTS.upload }, act, () => void send(chosen));
  };
  upload.addEventListener("click", () => file.click());
  file.addEventListener("change", () => {
    const chosen = file.files?.[0];
    file.value = "";
    if (chosen !== undefined) void send(chosen);
  });
}
