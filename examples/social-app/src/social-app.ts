import { html } from "hono/html";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { WalletLoginDoor } from "@dataspace/wallet-login/wallet-login-door";
import { createAssurePerson } from "./assure-person.ts";
import { createChats } from "./chats.ts";
import { createFeed } from "./feed.ts";
import { notFound, PageRefusal } from "./page-refusal.ts";
import { createPageWriter, type PageWriter } from "./page-writer.ts";
import { messagePage } from "./pages/plain-pages.ts";
import { createProfiles } from "./profile.ts";
import { createSignIn } from "./sign-in.ts";
import { readSocialForm } from "./social-form.ts";
import type { FormHandler, PageHandler, PersonalCall, SocialAnswer, SocialCall, SocialRoute } from "./social-route.ts";
import type { SocialStore } from "./store.ts";
import { createVisits, type Visits } from "./visits.ts";

/** What the application works with. `findProfile` looks for the profile of somebody new in their vault. Out: how many it found. */
export interface SocialAppDeps {
  readonly store: SocialStore;
  readonly clock: Clock;
  readonly findProfile: (ename: EName) => Promise<number>;
  readonly onError: (error: unknown) => void;
}

/** How the platform is named, where it is reached, and the registry that knows people's keys. */
export interface SocialAppConfig {
  readonly name: string;
  readonly publicUrl: string;
  readonly registryUrl: string;
}

/** The routes of the application, for any web framework, and the door for wallets. */
export interface SocialApp {
  readonly routes: readonly SocialRoute[];
  readonly door: WalletLoginDoor;
}

const ID = /^[\w-]{1,64}$/;

interface Parts extends SocialAppDeps {
  readonly visits: Visits;
  readonly pages: PageWriter;
}

/**
 * Makes the application: a feed of posts, profiles with pictures, and group chats.
 *
 * Out: routes that answer refusals with a page, and unforeseen errors with a page that says nothing of them. Refuses: never.
 */
export function createSocialApp(deps: SocialAppDeps, config: SocialAppConfig): SocialApp {
  const pages = createPageWriter(config);
  const visits = createVisits({ store: deps.store.visits, clock: deps.clock }, config);
  const parts = { ...deps, visits, pages };
  const signIn = createSignIn({ ...parts, onSignIn: createAssurePerson(deps) }, config);
  const handlers = [createFeed, createProfiles, createChats].map((create) =>
    create({ store: deps.store, nowMs: deps.clock.nowMs }),
  );
  const personal = handlers.flatMap((part) => [
    ...part.pages.map((handler) => pageRoute(parts, handler)),
    ...part.forms.map((handler) => formRoute(parts, handler)),
  ]);
  const routes = [...signIn.routes, ...personal, logOutRoute(parts)].map((route) => withPages(parts, route));
  return { routes: [...pages.routes, ...routes], door: signIn.door };
}

function pageRoute(parts: Parts, { path, show }: PageHandler): SocialRoute {
  return {
    method: "get",
    path,
    answer: async (call) => {
      const own = await findPersonal(parts, call);
      return own === undefined ? toLogin(parts, call) : write(parts, await show(own), own);
    },
  };
}

function formRoute(parts: Parts, { path, take }: FormHandler): SocialRoute {
  return {
    method: "post",
    path,
    answer: async (call) => {
      const own = await findPersonal(parts, call);
      if (own === undefined) return toLogin(parts, call);
      const form = await readSocialForm(call.request);
      parts.visits.assertOwnForm(call.request, own.visit, form);
      return write(parts, await take({ ...own, form }), own);
    },
  };
}

function logOutRoute(parts: Parts): SocialRoute {
  return {
    method: "post",
    path: "/logout",
    answer: async ({ request }) => {
      const visit = await parts.visits.find(request);
      if (visit === undefined) return redirect("/login");
      parts.visits.assertOwnForm(request, visit, await readSocialForm(request));
      return redirect("/login", await parts.visits.end(request));
    },
  };
}

type OwnCall = PersonalCall & { readonly visit: Parameters<Visits["assertOwnForm"]>[1] };

async function findPersonal(parts: Parts, call: SocialCall): Promise<OwnCall | undefined> {
  const visit = await parts.visits.find(call.request);
  if (visit === undefined) return undefined;
  const person = await parts.store.people.findByEName(visit.ename);
  if (person === undefined) return undefined;
  return { ...call, visit, person, token: html`<input type="hidden" name="token" value="${visit.formToken}">` };
}

/** Another platform may have removed the profile meanwhile. A page does not make it again; the next login does. */
async function toLogin({ visits }: Parts, { request }: SocialCall): Promise<Response> {
  return redirect("/login", await visits.end(request));
}

async function write({ pages }: Parts, answer: SocialAnswer, viewer: PersonalCall): Promise<Response> {
  return "goTo" in answer ? redirect(answer.goTo) : pages.write(answer, viewer);
}

function redirect(location: string, setCookie?: string): Response {
  const headers = new Headers({ location, "cache-control": "no-store" });
  if (setCookie !== undefined) headers.append("set-cookie", setCookie);
  return new Response(null, { status: 303, headers });
}

function withPages({ pages, onError }: Parts, route: SocialRoute): SocialRoute {
  const answer = async (call: SocialCall): Promise<Response> => {
    try {
      if (Object.values(call.params).some((id) => !ID.test(id ?? ""))) throw notFound("page");
      return await route.answer(call);
    } catch (error) {
      if (error instanceof PageRefusal) return pages.write(messagePage(error));
      onError(error);
      const message = "Something went wrong here. Try again in a minute.";
      return pages.write(messagePage({ status: 500, title: "Not done", message }));
    }
  };
  return { ...route, answer };
}
