import { visibleText } from "@dataspace/ui/shapes/visible-text";
import { shorten } from "../shown-text.ts";
import type { Identity } from "./identities.ts";

/** Shows an identity's name, limited in length, with hidden characters as code points. Refuses: never. */
export function shownName({ displayName }: Pick<Identity, "displayName">): string {
  return visibleText(shorten(displayName, 80));
}
