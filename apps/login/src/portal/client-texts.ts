import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";

/** The texts of a client's page. Source: S2 "IdP connection values". */
export const CLIENT_TEXTS = {
  claims: {
    title: "Map the claims",
    sub: (): Html =>
      html`Identify users by <code>sub</code> and link accounts on it. Use <code>preferred_username</code> as the username.`,
    email: "Never link or merge accounts on the email: the user writes it, and nobody verified it.",
    hint: "An application behind your identity provider sees the eName only in the username claim. It must treat it as a hint, not as proof.",
  },
  products: {
    title: "Set up your product",
    text: (placeholder: string): Html =>
      html`Each block holds this client's values. Replace <code>${placeholder}</code> with the secret that you saved.`,
    copy: (product: string) => `settings for ${product}`,
  },
  test: {
    title: "Test connection",
    text: "Runs a real login with this client's values and names the first fault. You sign it with your wallet.",
    secret: "Client secret",
    secretHint: "The secret that you saved. The test deletes it after 10 minutes.",
    submit: "Test connection",
  },
  change: { title: "Change the client", submit: "Save changes", removeLogo: "Remove the logo" },
  secret: {
    title: "Client secret",
    previous: (time: Html): Html => html`The previous secret still works and ends ${time}.`,
    endPrevious: "End the previous secret now",
    text: "A new secret works at once. The present one keeps working for 24 hours, so that logins go on while you install the new one.",
    create: "Create a new secret",
  },
  delete: {
    title: "Delete the client",
    text: "After this, nobody can log in through it.",
    confirm: (name: string) => `Type ${name} to confirm`,
    submit: "Delete client",
    wrongName: "Type the client's name as it stands above.",
  },
  problem: ({ time, error, description }: Problem): Html =>
    html`<strong>The last request of your identity provider was refused</strong>, ${time}: <code>${error}</code> (${description}).`,
} as const;

/** A refused request: when, as an element of the page, its code, and the protocol's description. */
interface Problem {
  readonly time: Html;
  readonly error: string;
  readonly description: string;
}

/** The texts of the values that connect an identity provider. Source: S2 "IdP connection values". */
export const CONNECTION_TEXTS = {
  title: "Connection values",
  discovery: { name: "Discovery URL", copy: "discovery URL" },
  issuer: { name: "Issuer", copy: "issuer" },
  clientId: { name: "Client ID", copy: "client ID" },
  secret: { name: "Client secret", value: "Shown once, when it was created." },
  authentication: {
    name: "Client authentication",
    value: (): Html => html`<code>client_secret_basic</code> or <code>client_secret_post</code>`,
  },
  pkce: { name: "PKCE", value: (): Html => html`On, method <code>S256</code>` },
  scopes: "Scopes",
  signature: {
    name: "ID token signature",
    value: (keys: string): Html => html`<code>ES256</code>, checked against <code>${keys}</code>`,
  },
  lastUsed: "Last used",
  never: "Never",
} as const;
