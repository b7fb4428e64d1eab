import { button, element, skeleton } from "@dataspace/ui/dom/element";
import { timeElement } from "@dataspace/ui/dom/time-element";
import { visibleText } from "@dataspace/ui/shapes/visible-text";
import { replaceContent } from "../focus.ts";
import { onPress, runAct } from "../run-act.ts";
import { shorten } from "../shown-text.ts";
import { HISTORY_TEXTS, OPERATION_TEXTS } from "./history-texts.ts";
import type { OpenedRecord } from "./opened-record.ts";
import { payloadDiff } from "./payload-diff.ts";
import type { PageOf, Payload, RecordVersion } from "./record.ts";
import { listVersions, rollBack } from "./records.ts";

/** The history of a record on the page. */
export interface HistoryView {
  readonly element: HTMLElement;
  /** Loads the versions again, after a change. */
  readonly reload: () => void;
}

const MAX_FIELD_CHARACTERS = 2_000;

/**
 * Shows a record's versions, newest first, each with its changes and a rollback button. In: `onRestored` is called
 * after a rollback, when the content is another. Source: S1 "History and rollback".
 */
export function historyView(opened: OpenedRecord, onRestored: () => void): HistoryView {
  const output = element("div", { class: "stack timeline", "aria-live": "polite" });
  const load = (): void => {
    const place = { output, activity: opened.activity, doing: HISTORY_TEXTS.open };
    void runAct(
      place,
      async (action) => {
        const page = await listVersions(await opened.vaultOf(action), opened.record.id);
        showVersions({ opened, output, onRestored: restored }, page);
        return HISTORY_TEXTS.opened(opened.title());
      },
      load,
    );
  };
  const restored = (parsed: Payload): void => {
    opened.update({ ...opened.record, parsed });
    onRestored();
  };
  output.append(skeleton(HISTORY_TEXTS.loading));
  load();
  return { element: output, reload: load };
}

interface Shown {
  readonly opened: OpenedRecord;
  readonly output: HTMLElement;
  readonly onRestored: (parsed: Payload) => void;
}

function showVersions(shown: Shown, { items, next }: PageOf<RecordVersion>): void {
  const { opened, output } = shown;
  // The oldest version of a page that is not the last has a predecessor that is not loaded yet.
  const whole = next === null ? items : items.slice(0, -1);
  replaceContent(output, ...whole.map((_, place) => toVersion(shown, items, place)));
  if (next === null) return;
  const more = button(HISTORY_TEXTS.older);
  const said = element("div", { "aria-live": "polite" });
  output.append(more, said);
  onPress(more, { output: said, activity: opened.activity, doing: HISTORY_TEXTS.loadOlder }, async (action) => {
    const older = await listVersions(await opened.vaultOf(action), opened.record.id, next);
    showVersions(shown, { items: [...items, ...older.items], next: older.next });
    return HISTORY_TEXTS.loadedOlder(opened.title());
  });
}

function toVersion(shown: Shown, versions: readonly RecordVersion[], place: number): HTMLElement {
  const version = versions[place] as RecordVersion;
  const changes = payloadDiff(versions[place + 1]?.parsed ?? null, version.parsed);
  return element(
    "article",
    { class: "version" },
    element(
      "p",
      {},
      element("strong", {}, HISTORY_TEXTS.version(version.version)),
      ` ${wordsOf(version)} `,
      timeElement(version.createdAt),
    ),
    element("p", { class: "muted small" }, writerOf(version)),
    ...changes.flatMap(({ field, before: from, after: to }) => [
      ...(from === undefined ? [] : [changeLine("del", HISTORY_TEXTS.change(field, from))]),
      ...(to === undefined ? [] : [changeLine("ins", HISTORY_TEXTS.change(field, to))]),
    ]),
    ...(place === 0 || version.parsed === null ? [] : [rollbackButton(shown, version, version.parsed)]),
  );
}

// The sign, not the colour, says what was removed and what was added.
function changeLine(kind: "del" | "ins", text: string): HTMLElement {
  const sign = element("span", { class: "diff-sign", "data-sign": kind === "del" ? "−" : "+", "aria-hidden": "true" });
  const line = element(kind, { class: "mono small" }, shorten(text, MAX_FIELD_CHARACTERS));
  return element("div", { class: `diff ${kind}` }, sign, line);
}

function wordsOf({ operation, restoredFromVersion }: RecordVersion): string {
  const words = OPERATION_TEXTS[operation] ?? visibleText(shorten(operation, 40));
  return restoredFromVersion === null ? words : HISTORY_TEXTS.restored(restoredFromVersion);
}

function writerOf({ author, requestingPlatform }: RecordVersion): string {
  const by = author === null ? HISTORY_TEXTS.unknownAuthor : HISTORY_TEXTS.author(visibleText(shorten(author, 100)));
  return requestingPlatform === null ? by : HISTORY_TEXTS.through(by, visibleText(shorten(requestingPlatform, 100)));
}

function rollbackButton({ opened, onRestored }: Shown, { version }: RecordVersion, parsed: Payload): HTMLElement {
  const pressed = button(HISTORY_TEXTS.rollBackTo(version), "quiet small");
  const said = element("div", { "aria-live": "polite" });
  onPress(pressed, { output: said, activity: opened.activity, doing: HISTORY_TEXTS.rollBack }, async (action) => {
    await rollBack(await opened.vaultOf(action), opened.record.id, version);
    onRestored(parsed);
    return HISTORY_TEXTS.rolledBack(version);
  });
  return element("div", { class: "stack" }, pressed, said);
}
