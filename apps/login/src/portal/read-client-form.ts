import { Refusal } from "@dataspace/service-kit/http/refusal";
import { type ClientReading, readClientInput } from "../clients/client-input.ts";
import type { LoginClient } from "../clients/client-rows.ts";
import { readLogo } from "../clients/read-logo.ts";
import type { ClientDraft } from "./client-form.ts";
import { textOf } from "./portal-form.ts";

/** What a form of a client holds: the draft to show again, and the input or its faults. */
export interface ReadClientForm {
  readonly draft: ClientDraft;
  readonly reading: ClientReading;
  readonly logo: Uint8Array | undefined;
}

/** Reads a form of a client. Refuses: never; faults are a value. Source: S2 "Client"; T-75. */
export async function readClientForm(form: FormData): Promise<ReadClientForm> {
  const given = {
    name: textOf(form, "name"),
    redirectUris: textOf(form, "redirect_uris") || textOf(form, "redirect_uri"),
    requireEmail: form.get("require_email") !== null,
    confirmLogin: form.get("confirm_login") !== null,
  };
  const reading = readClientInput(given);
  const faults = "faults" in reading ? reading.faults : {};
  const file = form.get("logo");
  if (!(file instanceof File) || file.size === 0) return { draft: { ...given, faults }, reading, logo: undefined };
  try {
    const logo = await readLogo(new Uint8Array(await file.arrayBuffer()));
    return { draft: { ...given, faults }, reading, logo };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const withLogo = { ...faults, logo: error.message };
    return { draft: { ...given, faults: withLogo }, reading: { faults: withLogo }, logo: undefined };
  }
}

/** Writes a client as the draft of its form. Refuses: never. */
export function toDraft({ name, redirectUris, requireEmail, confirmLogin }: LoginClient): ClientDraft {
  return { name, redirectUris: redirectUris.join("\n"), requireEmail, confirmLogin, faults: {} };
}
