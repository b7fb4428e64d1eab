import { distanceWords } from "../shapes/distance-words.ts";
import { element } from "./element.ts";

/** Makes the element of a time: its distance from now, with the exact time as a tooltip. In: ISO 8601. Refuses: never. */
export function timeElement(iso: string): HTMLElement {
  return element("time", { class: "muted small", datetime: iso, title: iso }, distanceWords(iso, Date.now()));
}
