import { createMemoryLoginStore } from "@dataspace/wallet-login/memory-login-store";
import { createRegistryCheck } from "@dataspace/wallet-login/registry-check";
import { createWalletLogin } from "@dataspace/wallet-login/wallet-login";
import { createWalletLoginDoor, type WalletLoginDoor } from "@dataspace/wallet-login/wallet-login-door";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import { PageRefusal } from "./page-refusal.ts";
import type { PageWriter } from "./page-writer.ts";
import { messagePage, signInPage } from "./pages/plain-pages.ts";
import type { SocialRoute } from "./social-route.ts";
import type { Visits } from "./visits.ts";

/** What logging in needs. `onSignIn` is awaited before the session begins. */
export interface SignInDeps {
  readonly clock: Clock;
  readonly visits: Visits;
  readonly pages: PageWriter;
  readonly onSignIn: (ename: EName) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Logging in by wallet: its routes, and the door for wallets. */
export interface SignIn {
  readonly routes: readonly SocialRoute[];
  readonly door: WalletLoginDoor;
}

/**
 * Makes the login by a wallet's signature.
 *
 * Refuses: PageRefusal 503 while too many logins wait. Source: S2 "Login flow"; S3 "Sandbox".
 */
export function createSignIn(
  { clock, visits, pages, onSignIn, onError }: SignInDeps,
  { name, registryUrl, publicUrl }: { readonly name: string; readonly registryUrl: string; readonly publicUrl: string },
): SignIn {
  const login = createWalletLogin(
    {
      store: createMemoryLoginStore({ clock }),
      check: createRegistryCheck({ onUnavailable: onError }, { registryUrl }),
    },
    { name, publicUrl: () => publicUrl, cookieName: `${name.toLowerCase()}_login` },
  );
  const writePage = async (page: Parameters<typeof messagePage>[0]) => (await pages.write(messagePage(page))).text();
  const show = async (request: Request): Promise<Response> => {
    const cookies = request.headers.get("cookie");
    const signer = await login.collect(cookies);
    if (signer !== undefined) {
      await onSignIn(signer.ename);
      const headers = new Headers({ location: "/", "cache-control": "no-store" });
      for (const cookie of [signer.setCookie, await visits.begin(signer.ename)]) headers.append("set-cookie", cookie);
      return new Response(null, { status: 303, headers });
    }
    if ((await visits.find(request)) !== undefined)
      return new Response(null, { status: 303, headers: { location: "/" } });
    const shown = await login.open(cookies);
    if (shown === undefined)
      throw new PageRefusal(503, "Not now", "Too many logins wait. Load the page again in a few minutes.");
    const page = await pages.write(signInPage(shown.uri));
    page.headers.append("set-cookie", shown.setCookie);
    return page;
  };
  return {
    routes: [{ method: "get", path: "/login", answer: ({ request }) => show(request) }],
    door: createWalletLoginDoor(login, { landing: "/login", writePage }),
  };
}
