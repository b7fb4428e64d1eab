import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Subscription } from "../store/subscription-rows.ts";
import { act, confirmedAction, type PortalPage } from "./frame.ts";
import { type GivenForm, subscriptionForm } from "./subscription-form-page.ts";
import { subscriptionAddress, subscriptionFrame } from "./subscription-frame.ts";
import type { Visit } from "./visits.ts";

const WORDS = {
  endpoint: "Endpoint and filters",
  endpointText: "Queued events go to the new URL too. Filters apply to changes from now on.",
  save: "Save changes",
  deliveries: "Deliveries",
  running: "New events are sent to your endpoint.",
  paused: "New events are not sent. After 30 days without deliveries the subscription is removed.",
  pause: "Pause deliveries",
  resume: "Resume deliveries",
  secret: "Signing secret",
  secretText: "Both secrets sign webhooks for 24 hours, so that your endpoint can change over without losing one.",
  rotate: "Rotate secret",
  rotateTitle: "Rotate the secret?",
  rotateText: "The new secret is shown once. Both secrets sign webhooks for 24 hours, then the old one ends.",
  danger: "Remove",
  dangerText: "The endpoint receives nothing more, and queued events are never sent.",
  remove: "Remove subscription",
  removeTitle: "Remove this subscription?",
  removeText: "The endpoint receives nothing more, and queued events are never sent. This cannot be undone.",
} as const;

/** Renders the settings of a subscription. Refuses: never. Source: decision E9. */
export function settingsPage(visit: Visit, subscription: Subscription, given: GivenForm): PortalPage {
  const at = subscriptionAddress(subscription);
  const { active } = subscription;
  return subscriptionFrame(subscription, {
    part: "settings",
    main: html`<section class="stack" aria-labelledby="endpoint"><div><h2 id="endpoint">${WORDS.endpoint}</h2><p class="muted">${WORDS.endpointText}</p></div>
${subscriptionForm(visit, { at, text: WORDS.save }, given)}</section>
${setting("deliveries", {
  title: WORDS.deliveries,
  text: active ? WORDS.running : WORDS.paused,
  action: act(visit, {
    at: `${at}/active`,
    text: active ? WORDS.pause : WORDS.resume,
    icon: active ? "pause" : "play",
    kind: "quiet",
    fields: { active: String(!active) },
  }),
})}
${setting("secret", {
  title: WORDS.secret,
  text: WORDS.secretText,
  action: confirmedAction(
    visit,
    { id: "rotate", text: WORDS.rotate, icon: "key", title: WORDS.rotateTitle, consequence: WORDS.rotateText },
    { at: `${at}/rotate-secret`, text: WORDS.rotate },
  ),
})}
${setting("danger", {
  title: WORDS.danger,
  text: WORDS.dangerText,
  action: confirmedAction(
    visit,
    { id: "remove", text: WORDS.remove, icon: "trash", title: WORDS.removeTitle, consequence: WORDS.removeText },
    { at: `${at}/remove`, text: WORDS.remove },
  ),
})}`,
  });
}

interface Setting {
  readonly title: string;
  readonly text: string;
  readonly action: Html;
}

function setting(id: string, { title, text, action }: Setting): Html {
  return html`<section class="card" aria-labelledby="${id}"><div class="head level"><div><h2 id="${id}">${title}</h2><p class="muted">${text}</p></div><div>${action}</div></div></section>`;
}
