import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";

/** The texts of the list of a developer's clients, and of the page for a new one. Source: S2 "Endpoints" (`/portal`). */
export const CLIENT_LIST_TEXTS = {
  title: "Clients",
  create: "New client",
  none: "No client yet",
  noneHint: 'A client is an identity provider or an application that offers "Log in with your wallet".',
  createFirst: "Create your first client",
  script: (href: string): Html =>
    html`A script can create and change clients with the <a href="${href}">management API</a>.`,
  clientId: "Client ID",
  lastUsed: "Last used",
  never: "Never",
  submit: "Create client",
} as const;

/** The texts of the form of a client. Source: S2 "Client"; decisions L6, L11. */
export const CLIENT_FORM_TEXTS = {
  name: "Name",
  nameHint: "People see it in their wallet and on the login page.",
  redirectUris: "Redirect URI",
  redirectUrisHint: "Your identity provider's callback address. One per line, at most 10.",
  logo: "Logo",
  logoHint: "Optional. PNG, JPEG or WebP, at most 256 KiB.",
  requireEmail: "My identity provider requires an email address",
  confirmLogin: "People confirm each login on the login page",
} as const;
