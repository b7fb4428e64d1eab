import type { Html } from "@dataspace/ui/html";
import type { Person, SocialStore } from "./store.ts";

/** A request as a route gets it: `params` are the named parts of its path. */
export interface SocialCall {
  readonly request: Request;
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** One address of the application, in the syntax that Express and Fastify share. */
export interface SocialRoute {
  readonly method: "get" | "post";
  readonly path: string;
  readonly answer: (call: SocialCall) => Promise<Response>;
}

/** A call of a person who has logged in. */
export interface PersonalCall extends SocialCall {
  readonly person: Person;
  /** The hidden field that each form carries. */
  readonly token: Html;
}

/** A call that sends a form of this person's own session. */
export interface FormCall extends PersonalCall {
  readonly form: FormData;
}

/** A page's main part, in the frame that all pages share. */
export interface SocialPage {
  readonly title: string;
  readonly main: Html;
  readonly isNarrow?: boolean;
  readonly status?: number;
}

/** How a handler answers: a page, or the address where the browser goes on. */
export type SocialAnswer = SocialPage | { readonly goTo: string };

/** What the handlers of people who have logged in work with. */
export interface HandlerDeps {
  readonly store: SocialStore;
  readonly nowMs: () => number;
}

/** A page of people who have logged in. */
export interface PageHandler {
  readonly path: string;
  readonly show: (call: PersonalCall) => Promise<SocialAnswer>;
}

/** What a form of people who have logged in does. */
export interface FormHandler {
  readonly path: string;
  readonly take: (call: FormCall) => Promise<SocialAnswer>;
}
