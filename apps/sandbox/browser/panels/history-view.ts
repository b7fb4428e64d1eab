import { element } from "../element.ts";
import { payloadDiff } from "../payload-diff.ts";
import type { PageOf, RecordVersion, VaultSession } from "../vault-session.ts";
import { type ActPlace, whileBusy } from "./while-busy.ts";

/** Whose history is shown, and where. */
export interface ShownHistory {
  readonly vault: VaultSession;
  readonly place: ActPlace;
  readonly id: string;
}

/** Shows a record's versions, newest first, each by what it changed, with the way back to it. Source: S1 "History and rollback". */
export async function showHistory(shown: ShownHistory): Promise<void> {
  const page = await shown.vault.listVersions(shown.id);
  shown.place.output.replaceChildren(...page.items.map((_, place) => toVersion(shown, page, place)));
}

function toVersion(shown: ShownHistory, { items, next }: PageOf<RecordVersion>, place: number): HTMLElement {
  const version = items[place] as RecordVersion;
  const before = items[place + 1];
  // The oldest of a page that is not the last has a predecessor that is not here.
  const isKnown = before !== undefined || next === null;
  const changes = isKnown ? payloadDiff(before?.parsed ?? null, version.parsed) : [];
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
    ...(place === 0 || version.parsed === null ? [] : [rollbackButton(shown, version)]),
  );
}

function wordsOf({ operation, restoredFromVersion }: RecordVersion): string {
  return restoredFromVersion === null ? operation : `${operation}, as version ${restoredFromVersion} was`;
}

function rollbackButton(shown: ShownHistory, { version }: RecordVersion): HTMLElement {
  const button = element("button", { type: "button", class: "quiet small" }, `Roll back to version ${version}`);
  const place = { ...shown.place, act: "Roll back" };
  whileBusy(button, place, async () => {
    await shown.vault.rollBack(shown.id, version);
    shown.place.log.say("ok", `Rolled back to version ${version}`);
    await showHistory(shown);
  });
  return button;
}
