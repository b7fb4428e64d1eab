import { chip } from "@dataspace/ui/state-mark";
import { tabLinks } from "@dataspace/ui/tabs";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Subscription } from "../store/subscription-rows.ts";
import type { PortalPage } from "./frame.ts";

/** The parts of a subscription, each a page. */
export type SubscriptionPart = "activity" | "attempts" | "dead-letters" | "replay" | "settings";

const WORDS = {
  path: "Path",
  all: "Subscriptions",
  parts: "Parts of the subscription",
  paused: "Paused",
  activity: "Activity",
  attempts: "Attempts",
  "dead-letters": "Dead letters",
  replay: "Replay",
  settings: "Settings",
} as const;

const ADDRESSES: Readonly<Record<SubscriptionPart, string>> = {
  activity: "",
  attempts: "/attempts",
  "dead-letters": "/dead-letters",
  replay: "/replay",
  settings: "/edit",
};

/** The content of a subscription's part, and the action beside the heading. */
export interface ShownPart {
  readonly part: SubscriptionPart;
  readonly action?: Html | undefined;
  readonly main: Html;
}

/** Returns the address of a subscription's page. Refuses: never. */
export function subscriptionAddress({ id }: Pick<Subscription, "id">): string {
  return `/portal/subscriptions/${id}`;
}

/** Renders a part of a subscription: the endpoint as the heading, and links to the other parts. Refuses: never. */
export function subscriptionFrame(subscription: Subscription, { part, action, main }: ShownPart): PortalPage {
  const at = subscriptionAddress(subscription);
  const links = (Object.keys(ADDRESSES) as SubscriptionPart[]).map((one) => ({
    href: `${at}${ADDRESSES[one]}`,
    text: WORDS[one],
    current: one === part,
  }));
  return {
    title: `${WORDS[part]} of ${subscription.targetUrl}`,
    place: "subscriptions",
    main: html`<div class="stack">${crumbs()}<div class="head level"><div class="stack tight"><h1 class="clamp" title="${subscription.targetUrl}">${withoutScheme(subscription.targetUrl)}</h1>${
      !subscription.active && html`<div>${chip("warn", WORDS.paused)}</div>`
    }</div>${action}</div>
${tabLinks(WORDS.parts, links)}</div>
${main}`,
  };
}

/** Links back to the list, and to the subscription where another page of it is shown. Refuses: never. */
export function crumbs(subscription?: Pick<Subscription, "id" | "targetUrl">): Html {
  return html`<nav class="crumbs" aria-label="${WORDS.path}"><a href="/portal/subscriptions">${WORDS.all}</a>${
    subscription &&
    html` / <a class="clamp" href="${subscriptionAddress(subscription)}">${withoutScheme(subscription.targetUrl)}</a>`
  }</nav>`;
}

/** Shortens an address for the eye: without https://. Refuses: never. */
export function withoutScheme(address: string): string {
  return address.replace(/^https:\/\//, "");
}
