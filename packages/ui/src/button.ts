import { html } from "hono/html";
import type { Html } from "./html.ts";
import { type IconName, icon } from "./icon.ts";

/** What a button weighs: a view has one `primary`; `quiet` stands beside it; `plain` has no border; `danger` destroys. */
export type ButtonKind = "primary" | "quiet" | "plain" | "danger";

/** A button or a link that looks like one. `opens` is the id of the dialog that it opens. */
export interface Button {
  readonly text: string;
  readonly kind: ButtonKind;
  readonly icon?: IconName;
  /** The text is spoken and not shown: only with an icon that everybody knows. */
  readonly isIconOnly?: boolean;
  readonly isDisabled?: boolean;
  readonly opens?: string;
}

/** Shows a button of a form, or one that opens a dialog. Refuses: never. */
export function button(given: Button): Html {
  const { kind, opens, isDisabled } = given;
  return html`<button class="${classOf(given)}"${opens && html` type="button" commandfor="${opens}" command="show-modal" aria-haspopup="dialog"`}${
    isDisabled && html` disabled`
  }${kind === "primary" && html` data-primary`}>${content(given)}</button>`;
}

/** Shows a link as a button: for going somewhere, never for an act. Refuses: never. */
export function linkButton(href: string, given: Omit<Button, "opens" | "isDisabled">): Html {
  return html`<a class="button ${classOf(given)}" href="${href}"${given.kind === "primary" && html` data-primary`}>${content(given)}</a>`;
}

function classOf({ kind, isIconOnly }: Button): string {
  return `${kind}${isIconOnly ? " only" : ""}`;
}

function content({ text, icon: name, isIconOnly }: Button): Html {
  return html`${name && icon(name)}${isIconOnly ? html`<span class="spoken">${text}</span>` : text}`;
}
