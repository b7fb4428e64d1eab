import { readFileSync } from "node:fs";
import { createUi, type Ui } from "@dataspace/ui/ui";
import { html } from "hono/html";
import type { NavLink } from "@dataspace/ui/page";
import { nameOf } from "./pages/person.ts";
import type { PersonalCall, SocialPage, SocialRoute } from "./social-route.ts";

/** Writes pages in the frame of the platform. */
export interface PageWriter {
  /** In: the person who looks, if anybody has logged in. */
  readonly write: (page: SocialPage, viewer?: Pick<PersonalCall, "person" | "token" | "request">) => Promise<Response>;
  /** The files that pages load. */
  readonly routes: readonly SocialRoute[];
}

const STYLE = "/social.css";
const NAVIGATION = [
  { href: "/", text: "Posts" },
  { href: "/chats", text: "Chats" },
  { href: "/profile", text: "Profile" },
];

/**
 * Makes the writer of pages. A page loads nothing from elsewhere but pictures, runs no inline script and cannot be framed.
 *
 * Refuses: never. Source: Content Security Policy Level 3.
 */
export function createPageWriter({
  name,
  publicUrl,
}: {
  readonly name: string;
  readonly publicUrl: string;
}): PageWriter {
  const ui = createUi();
  const style = readFileSync(new URL("../style/social.css", import.meta.url));
  // Pictures are where their owners' vaults are; on a developer's machine that is http.
  const pictures = publicUrl.startsWith("https:") ? "https:" : "http: https:";
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: ${pictures}; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'`,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
  };
  return {
    write: async ({ title, main, isNarrow = false, status = 200 }, viewer) => {
      const frame = {
        title,
        part: name,
        home: "/",
        isNarrow,
        main: html`<link rel="stylesheet" href="${STYLE}">${main}`,
      };
      const page = viewer === undefined ? frame : { ...frame, nav: navigation(viewer.request), who: who(viewer) };
      return new Response(await ui.render(page), { status, headers });
    },
    routes: [...fileRoutes(ui), fileRoute(STYLE, { type: "text/css; charset=utf-8", bytes: style, age: 300 })],
  };
}

function navigation(request: Request): readonly NavLink[] {
  const { pathname } = new URL(request.url);
  const part = `/${pathname.split("/")[1] ?? ""}`;
  return NAVIGATION.map((link) => ({
    ...link,
    current: link.href === part || (link.href === "/" && part === "/posts"),
  }));
}

function who({ person, token }: Pick<PersonalCall, "person" | "token">) {
  return html`<span>${nameOf(person)}</span><form method="post" action="/logout">${token}<button class="quiet">Log out</button></form>`;
}

function fileRoutes(ui: Ui): readonly SocialRoute[] {
  return [...ui.files].map(([path, { type, bytes }]) => fileRoute(path, { type, bytes, age: 31_536_000 }));
}

function fileRoute(
  path: string,
  { type, bytes, age }: { readonly type: string; readonly bytes: Buffer; readonly age: number },
): SocialRoute {
  const headers = {
    "content-type": type,
    "cache-control": `public, max-age=${age}`,
    "x-content-type-options": "nosniff",
  };
  return { method: "get", path, answer: async () => new Response(new Uint8Array(bytes), { headers }) };
}
