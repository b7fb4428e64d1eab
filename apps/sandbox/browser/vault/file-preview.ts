import { button, element, facts } from "@dataspace/ui/dom/element";
import { visibleText } from "@dataspace/ui/shapes/visible-text";
import { onPress } from "../run-act.ts";
import { shorten } from "../shown-text.ts";
import type { OpenedRecord } from "./opened-record.ts";
import { FILE_TEXTS } from "./record-texts.ts";

const MAX_BYTES = 10_485_760;
const MAX_TEXT_BYTES = 262_144;
const MAX_TEXT_CHARACTERS = 20_000;
/** The pictures that browsers draw without running anything. */
const PICTURES: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];

/** Shows a stored file: its facts, a preview of pictures and texts, and a download. Source: S1 "uploadFile"; V15. */
export function filePreview(opened: OpenedRecord): HTMLElement {
  const { filename, contentType, size } = opened.record.parsed;
  const type = typeof contentType === "string" ? contentType.split(";")[0]?.trim().toLowerCase() : undefined;
  const name = typeof filename === "string" ? filename : FILE_TEXTS.unnamed;
  const shown = element("div", { "aria-live": "polite" });
  const preview = button(FILE_TEXTS.preview);
  const save = button(FILE_TEXTS.download);
  const load = (doing: string, show: (blob: Blob) => Promise<void>) => ({
    place: { output: shown, activity: opened.activity, doing },
    act: async (action: Parameters<OpenedRecord["vaultOf"]>[0]) => {
      await show(await (await opened.vaultOf(action)).download(opened.record.id, MAX_BYTES));
      return FILE_TEXTS.done(doing, shorten(name, 100));
    },
  });
  const previewed = load(FILE_TEXTS.previewing, async (blob) =>
    shown.replaceChildren(await toPreview(blob, type, name)),
  );
  const saved = load(FILE_TEXTS.downloading, async (blob) =>
    element("a", { href: await toDataUrl(blob), download: name }).click(),
  );
  onPress(preview, previewed.place, previewed.act);
  onPress(save, saved.place, saved.act);
  return element(
    "div",
    { class: "stack" },
    facts([
      [FILE_TEXTS.name, visibleText(shorten(name, 255))],
      [FILE_TEXTS.type, visibleText(shorten(type ?? FILE_TEXTS.unknown, 100))],
      [FILE_TEXTS.size, typeof size === "number" ? FILE_TEXTS.bytes(size) : FILE_TEXTS.unknown],
    ]),
    element("div", { class: "row" }, preview, save),
    shown,
  );
}

// The record's type is a claim of whoever wrote it, so only what cannot run is drawn.
async function toPreview(blob: Blob, type: string | undefined, name: string): Promise<HTMLElement> {
  if (type !== undefined && PICTURES.includes(type)) {
    const src = await toDataUrl(new Blob([blob], { type }));
    return element("img", { class: "preview", src, alt: visibleText(shorten(name, 120)) });
  }
  const isText = type?.startsWith("text/") === true || type === "application/json";
  if (!isText || blob.size > MAX_TEXT_BYTES) {
    return element("p", { class: "muted" }, FILE_TEXTS.noPreview);
  }
  const text = visibleText(shorten(await blob.text(), MAX_TEXT_CHARACTERS));
  return element("pre", { class: "wrapped", tabindex: "0", "aria-label": FILE_TEXTS.preview }, text);
}

/** Writes bytes as a `data:` address: the page's policy allows no other. Refuses: an Error when the browser cannot read them. */
export function toDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result)));
    reader.addEventListener("error", () => reject(new Error(FILE_TEXTS.unreadable)));
    reader.readAsDataURL(blob);
  });
}
