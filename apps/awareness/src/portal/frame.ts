import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "@dataspace/ui/page";
import type { Subscription } from "../store/subscription-rows.ts";
import type { Visit } from "./visits.ts";

/** A signed-in visitor, and whether they are one of the operator's. */
export interface Visitor extends Visit {
  readonly isAdmin: boolean;
}

/** The content of a portal page, and its part of the portal. */
export interface PortalPage {
  readonly title: string;
  readonly place: "subscriptions" | "api-keys" | "platforms";
  readonly main: Html;
}

/** Renders a page of the portal in its frame, with navigation and the visitor's whole eName. Source: decision L11. */
export function portalPage(visitor: Visitor, { title, place, main }: PortalPage): Page {
  const places = [
    { at: "subscriptions", text: "Subscriptions" },
    { at: "api-keys", text: "API keys" },
    ...(visitor.isAdmin ? [{ at: "platforms", text: "Platforms" }] : []),
  ];
  return {
    title,
    part: "awareness",
    home: "/portal/subscriptions",
    nav: [
      ...places.map(({ at, text }) => ({ href: `/portal/${at}`, text, current: at === place })),
      { href: "/docs", text: "Reference", current: false },
    ],
    who: html`<span class="mono">${visitor.consumer.ename ?? visitor.consumer.name}</span>${act(visitor, {
      at: "/portal/sign-out",
      text: "Sign out",
      kind: "quiet",
    })}`,
    main,
  };
}

/** Links back to the list, and to the subscription where another of its pages is shown. Refuses: never. */
export function crumbs(subscription?: Pick<Subscription, "id" | "targetUrl">): Html {
  return html`<nav class="crumbs" aria-label="Path"><a href="/portal/subscriptions">Subscriptions</a>${
    subscription && html` / <a href="/portal/subscriptions/${subscription.id}">${subscription.targetUrl}</a>`
  }</nav>`;
}

/** A button that acts at once: a form without fields to fill in. */
export interface Act {
  readonly at: string;
  readonly text: string;
  readonly kind?: "quiet" | "danger";
  /** The values that it sends. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Shows such a button. Refuses: never. */
export function act({ formToken }: Visit, { at, text, kind, fields = {} }: Act): Html {
  return html`<form method="post" action="${at}" class="inline">${tokenField(formToken)}${Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button${kind && html` class="${kind}"`}>${text}</button></form>`;
}

/** The field that ties the form to its visit. Refuses: never. */
export function tokenField(formToken: string): Html {
  return html`<input type="hidden" name="token" value="${formToken}">`;
}

/**
 * A button for an action that cannot be undone: the first press shows the consequence, the second acts. Refuses: never.
 */
export function confirmedAction(visit: Visit, warning: string, wanted: Act): Html {
  return html`<details><summary>${wanted.text}</summary><div class="stack"><p>${warning}</p>${act(visit, {
    ...wanted,
    kind: "danger",
  })}</div></details>`;
}
