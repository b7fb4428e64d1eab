import { checkbox, field } from "@dataspace/ui/field";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import { CLIENT_FORM_TEXTS } from "./client-list-texts.ts";
import { tokenField } from "./portal-frame.ts";
import type { PortalSession } from "./portal-sessions.ts";

/** What a developer typed into the form of a client, and what is wrong with it. */
export interface ClientDraft {
  readonly name: string;
  readonly redirectUris: string;
  readonly requireEmail: boolean;
  readonly confirmLogin: boolean;
  readonly faults: Readonly<Partial<Record<"name" | "redirectUris" | "logo", string>>>;
}

/** An empty form. */
export const EMPTY_DRAFT: ClientDraft = {
  name: "",
  redirectUris: "",
  requireEmail: false,
  confirmLogin: false,
  faults: {},
};

/** Writes the form of a client. In: where it is sent, and what its button says. Refuses: never. Source: S2 "Client"; decisions L6, L11. */
export function clientForm(
  session: PortalSession,
  { draft, action, submit }: { readonly draft: ClientDraft; readonly action: string; readonly submit: string },
): Html {
  const { faults } = draft;
  return html`<form method="post" action="${action}" enctype="multipart/form-data">${tokenField(session)}
${field({ name: "name", label: CLIENT_FORM_TEXTS.name, value: draft.name, isRequired: true, maxLength: 64, hint: CLIENT_FORM_TEXTS.nameHint, fault: faults.name })}
${field({ name: "redirect_uris", label: CLIENT_FORM_TEXTS.redirectUris, value: draft.redirectUris, isLong: true, isRequired: true, hint: CLIENT_FORM_TEXTS.redirectUrisHint, fault: faults.redirectUris })}
<div class="field"><label for="logo">${CLIENT_FORM_TEXTS.logo}</label><input id="logo" name="logo" type="file" accept="image/png,image/jpeg,image/webp" aria-describedby="logo-hint">
<span class="hint" id="logo-hint">${CLIENT_FORM_TEXTS.logoHint}</span>${faults.logo && html`<span class="fault">${faults.logo}</span>`}</div>
${checkbox("require_email", CLIENT_FORM_TEXTS.requireEmail, draft.requireEmail)}
${checkbox("confirm_login", CLIENT_FORM_TEXTS.confirmLogin, draft.confirmLogin)}
<button>${submit}</button></form>`;
}
