import { avatar } from "@dataspace/ui/avatar";
import { button } from "@dataspace/ui/button";
import { identifier } from "@dataspace/ui/copyable";
import { closeButton, dialog } from "@dataspace/ui/dialog";
import { html } from "hono/html";
import type { ButtonKind } from "@dataspace/ui/button";
import type { Html } from "@dataspace/ui/html";
import type { IconName } from "@dataspace/ui/icon";
import type { Page } from "@dataspace/ui/page";
import type { Visit } from "./visits.ts";

/** A signed-in visitor, and whether they are one of the operator's. */
export interface Visitor extends Visit {
  readonly isAdmin: boolean;
}

/** The content of a portal page, and its part of the portal. */
export interface PortalPage {
  readonly title: string;
  readonly place: "overview" | "subscriptions" | "api-keys" | "platforms";
  readonly main: Html;
}

const WORDS = {
  overview: "Overview",
  subscriptions: "Subscriptions",
  keys: "API keys",
  platforms: "Platforms",
  signOut: "Sign out",
  cancel: "Cancel",
} as const;

/** Renders a page of the portal in its frame, with navigation and the visitor's whole eName. Source: decision L11. */
export function portalPage(visitor: Visitor, { title, place, main }: PortalPage): Page {
  const places: readonly { at: PortalPage["place"]; href: string; text: string; icon: IconName }[] = [
    { at: "overview", href: "/portal", text: WORDS.overview, icon: "chart-bar" },
    { at: "subscriptions", href: "/portal/subscriptions", text: WORDS.subscriptions, icon: "bolt" },
    { at: "api-keys", href: "/portal/api-keys", text: WORDS.keys, icon: "key" },
    ...(visitor.isAdmin
      ? [{ at: "platforms", href: "/portal/platforms", text: WORDS.platforms, icon: "squares-2x2" } as const]
      : []),
  ];
  const name = visitor.consumer.ename ?? visitor.consumer.name;
  return {
    title,
    part: "awareness",
    home: "/portal",
    nav: places.map(({ at, href, text, icon }) => ({ href, text, icon, current: at === place })),
    who: html`${avatar(name)}${identifier(name)}${act(visitor, {
      at: "/portal/sign-out",
      text: WORDS.signOut,
      kind: "plain",
      icon: "arrow-right-start-on-rectangle",
      isIconOnly: true,
    })}`,
    main,
  };
}

/** A button that acts at once: a form without fields to fill in. */
export interface Act {
  readonly at: string;
  readonly text: string;
  readonly kind: ButtonKind;
  readonly icon?: IconName;
  readonly isIconOnly?: boolean;
  /** The values that it sends. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Shows such a button. Refuses: never. */
export function act({ formToken }: Visit, { at, fields = {}, ...shown }: Act): Html {
  return html`<form method="post" action="${at}" class="inline">${tokenField(formToken)}${Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}${button(shown)}</form>`;
}

/** The field that ties the form to its visit. Refuses: never. */
export function tokenField(formToken: string): Html {
  return html`<input type="hidden" name="token" value="${formToken}">`;
}

/** What a confirmed action asks before it acts: `id` is unique in the page. */
export interface Confirmation {
  readonly id: string;
  /** The text of the button that opens the question. */
  readonly text: string;
  readonly icon?: IconName;
  readonly title: string;
  readonly consequence: Html | string;
}

/**
 * Shows a button for an action that cannot be undone. The button opens a dialog that says what follows; without
 * JavaScript the same question unfolds below it. Refuses: never.
 */
export function confirmedAction(visit: Visit, asked: Confirmation, wanted: Omit<Act, "kind">): Html {
  const { id, text, title, consequence, icon } = asked;
  const doIt = act(visit, { ...wanted, kind: "danger" });
  return html`<div class="with-script">${button({ kind: "danger", text, opens: id, ...(icon && { icon }) })}</div>
${dialog({ id, title, main: html`<p>${consequence}</p>`, actions: html`${closeButton(id, WORDS.cancel)}${doIt}` })}
<details class="without-script"><summary>${text}</summary><div class="stack"><p>${consequence}</p>${doIt}</div></details>`;
}
