import type { IncomingHttpHeaders } from "node:http";
import { makeAuthUri } from "@dataspace/protocol/wallet-uri";
import type { LoginView } from "../logins/logins.ts";
import { chooseSpeech } from "../pages/choose-speech.ts";
import { renderLoginPage } from "../pages/login-page.ts";
import { renderMessagePage } from "../pages/message-page.ts";
import type { Speech, Words } from "../pages/words.ts";
import type { PageAnswer } from "../provider/op-core.ts";
import { loginPageHeaders } from "./send-login-page.ts";

/** A client as the login page shows it. */
export interface ShownClient {
  readonly name: string;
  readonly hasLogo: boolean;
}

/** The dependencies of the pages. */
export interface LoginPagesDeps {
  readonly findShownClient: (clientId: string) => Promise<ShownClient | undefined>;
}

/** The pages' configuration. `sandboxUrl` is set only in the development stack. */
export interface LoginPagesConfig {
  readonly issuer: string;
  readonly label: string;
  readonly sandboxUrl: () => string | undefined;
}

/** Renders the pages of logins, in the reader's language. */
export interface LoginPages {
  readonly login: (view: LoginView, headers: IncomingHttpHeaders) => Promise<PageAnswer>;
  readonly message: (message: MessageWords, headers: IncomingHttpHeaders, uiLocales?: string) => Promise<PageAnswer>;
}

/** A page with one message, by the names of its texts; `text` replaces a text that no table has. */
export interface MessageWords {
  readonly status: number;
  readonly title: keyof Words;
  readonly message: keyof Words | { readonly text: string };
  readonly link?: { readonly href: string; readonly text: keyof Words };
}

const PORTAL: ShownClient = { name: "", hasLogo: false };

/** Makes the renderer of login pages. Refuses: never by itself. Source: S2 "Login flow"; decisions L10, L11. */
export function createLoginPages(deps: LoginPagesDeps, config: LoginPagesConfig): LoginPages {
  return {
    login: async (view, headers) => {
      const { request, session } = view;
      // A login of the portal itself has no client and returns to this origin.
      const client = request.clientId === "" ? PORTAL : await deps.findShownClient(request.clientId);
      const returnsTo = new URL(request.redirectUri || config.issuer);
      const logoUrl = client?.hasLogo ? `${config.issuer}/clients/${request.clientId}/logo.png` : undefined;
      const clientName = client === PORTAL ? config.label : (client?.name ?? request.clientId);
      const redirect = `${config.issuer}/ds/callback`;
      const walletUri = makeAuthUri({ redirect, session, platform: clientName, logo: logoUrl });
      const sandboxUrl = config.sandboxUrl();
      const body = await renderLoginPage(
        {
          view,
          client: { name: clientName, logoUrl: logoUrl ?? "/logo.png", host: returnsTo.host },
          walletUri,
          sandboxUri: sandboxUrl === undefined ? undefined : `${sandboxUrl}/?uri=${encodeURIComponent(walletUri)}`,
          label: config.label,
        },
        speechOf(headers, request.uiLocales),
      );
      return { status: 200, headers: loginPageHeaders("with forms"), body };
    },
    message: async ({ status, title, message, link }, headers, uiLocales) => {
      const speech = speechOf(headers, uiLocales);
      const body = await renderMessagePage(
        {
          label: config.label,
          title: speech.words[title],
          message: typeof message === "string" ? speech.words[message] : message.text,
          ...(link === undefined ? {} : { link: { href: link.href, text: speech.words[link.text] } }),
        },
        speech,
      );
      return { status, headers: loginPageHeaders("message"), body };
    },
  };
}

function speechOf(headers: IncomingHttpHeaders, uiLocales: string | undefined): Speech {
  return chooseSpeech(uiLocales, headers["accept-language"]);
}
