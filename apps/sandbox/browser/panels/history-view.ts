import { element } from "../element.ts";
import { payloadDiff } from "../payload-diff.ts";
import type { PageOf, Payload, RecordVersion, VaultSession } from "../vault-session.ts";
import { type ActPlace, whileBusy } from "./while-busy.ts";

/** The record whose history is shown, and where; `onContent` receives the record's current content. */
export interface ShownHistory {
  readonly vault: VaultSession;
  readonly place: ActPlace;
  readonly id: string;
  readonly onContent: (parsed: Payload) => void;
}

/**
 * Shows a record's versions, newest first, each with its changes and a rollback button. Source: S1 "History and
 * rollback".
 */
export async function showHistory(shown: ShownHistory): Promise<void> {
  showVersions(shown, await shown.vault.listVersions(shown.id));
}

function showVersions(shown: ShownHistory, { items, next }: PageOf<RecordVersion>): void {
  const { output } = shown.place;
  // The oldest version of a page that is not the last has a predecessor that is not loaded yet.
  const whole = next === null ? items : items.slice(0, -1);
  output.replaceChildren(...whole.map((_, place) => toVersion(shown, items, place)));
  if (next === null) return;
  const more = element("button", { type: "button", class: "quiet" }, "Older versions");
  output.append(more);
  whileBusy(more, { ...shown.place, act: "Older versions" }, async () => {
    const older = await shown.vault.listVersions(shown.id, next);
    showVersions(shown, { items: [...items, ...older.items], next: older.next });
  });
}

function toVersion(shown: ShownHistory, versions: readonly RecordVersion[], place: number): HTMLElement {
  const version = versions[place] as RecordVersion;
  const changes = payloadDiff(versions[place + 1]?.parsed ?? null, version.parsed);
  return element(
    "article",
    { class: "step" },
    element(
      "p",
      {},
      element("strong", {}, `Version ${version.version}`),
      ` ${wordsOf(version)} `,
      element("time", { class: "muted small", datetime: version.createdAt }, version.createdAt),
    ),
    ...changes.flatMap(({ field, before: from, after: to }) => [
      ...(from === undefined ? [] : [element("del", { class: "mono small" }, `${field}: ${from}`)]),
      ...(to === undefined ? [] : [element("ins", { class: "mono small" }, `${field}: ${to}`)]),
    ]),
    ...(place === 0 || version.parsed === null ? [] : [rollbackButton(shown, version, version.parsed)]),
  );
}

function wordsOf({ operation, restoredFromVersion }: RecordVersion): string {
  return restoredFromVersion === null ? operation : `${operation}, as version ${restoredFromVersion} was`;
}

function rollbackButton(shown: ShownHistory, { version }: RecordVersion, parsed: Payload): HTMLElement {
  const button = element("button", { type: "button", class: "quiet small" }, `Roll back to version ${version}`);
  const place = { ...shown.place, act: "Roll back" };
  whileBusy(button, place, async () => {
    await shown.vault.rollBack(shown.id, version);
    shown.place.log.say("ok", `Rolled back to version ${version}`);
    shown.onContent(parsed);
    await showHistory(shown);
  });
  return button;
}
