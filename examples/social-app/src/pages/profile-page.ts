import { field } from "@dataspace/ui/field";
import { notice } from "@dataspace/ui/state-mark";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import { TEXTS } from "../social-form.ts";
import type { SocialPage } from "../social-route.ts";
import type { Person } from "../store.ts";
import { avatar, clip, nameOf } from "./person.ts";

/** What became of the form. */
export interface ProfileState {
  readonly isSaved: boolean;
  readonly faults: {
    readonly name?: string | undefined;
    readonly about?: string | undefined;
    readonly picture?: string | undefined;
  };
}

/** Renders one's own profile as a form. Refuses: never. */
export function profilePage(person: Person, token: Html, { isSaved, faults }: ProfileState): SocialPage {
  const main = html`<div><h1>Your profile</h1><p class="muted">It is stored in your vault. Other platforms show the same.</p></div>
${isSaved && notice("ok", "Your profile is saved.")}
<form class="card" method="post" action="/profile" enctype="multipart/form-data">${token}
<div class="row">${avatar(person, "large")}${pictureField(faults.picture)}</div>
${field({ name: "name", label: "Name", value: clip(person.name, TEXTS.name.maxLength), isRequired: true, maxLength: TEXTS.name.maxLength, fault: faults.name })}
${field({ name: "about", label: "About you", value: person.about, isLong: true, maxLength: TEXTS.about.maxLength, fault: faults.about })}
<button>Save</button></form>
<p class="muted small">You are <code>${person.ename}</code>.</p>`;
  return { title: "Your profile", main, isNarrow: true };
}

/** Renders somebody's profile. Refuses: never. */
export function personPage(person: Person): SocialPage {
  const main = html`<section class="card"><div class="row">${avatar(person, "large")}<h1>${nameOf(person)}</h1></div>
${person.about.trim() === "" ? html`<p class="muted">Has not written anything about themselves.</p>` : html`<p class="written">${clip(person.about)}</p>`}
<p class="muted small"><code>${person.ename}</code></p></section>`;
  return { title: nameOf(person), main, isNarrow: true };
}

function pictureField(fault: string | undefined): Html {
  return html`<div class="field grows"><label for="picture">Picture</label>
<input id="picture" name="picture" type="file" accept="image/png,image/jpeg,image/gif" aria-describedby="picture-hint${fault && " picture-fault"}"${fault && html` aria-invalid="true"`}>
<span class="hint" id="picture-hint">PNG, JPEG or GIF, at most 1 MiB.</span>
${fault && html`<span class="fault" id="picture-fault">${fault}</span>`}</div>`;
}
