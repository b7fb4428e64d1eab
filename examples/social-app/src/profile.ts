import { notFound } from "./page-refusal.ts";
import { personPage, profilePage } from "./pages/profile-page.ts";
import { readPicture } from "./picture.ts";
import { readText, TEXTS } from "./social-form.ts";
import type { FormHandler, HandlerDeps, PageHandler } from "./social-route.ts";

/** Makes profiles: one's own with a form, and those of others. Refuses: PageRefusal 404; the store's errors. */
export function createProfiles({ store }: HandlerDeps): {
  readonly pages: readonly PageHandler[];
  readonly forms: readonly FormHandler[];
} {
  return {
    pages: [
      {
        path: "/profile",
        show: async ({ person, token, request }) =>
          profilePage(person, token, { isSaved: new URL(request.url).searchParams.has("saved"), faults: {} }),
      },
      {
        path: "/people/:id",
        show: async ({ params }) => {
          const person = await store.people.find(params["id"] ?? "");
          if (person === undefined) throw notFound("person");
          return personPage(person);
        },
      },
    ],
    forms: [
      {
        path: "/profile",
        take: async ({ person, token, form }) => {
          const [name, about, picture] = [
            readText(form, TEXTS.name),
            readText(form, TEXTS.about),
            await readPicture(form),
          ];
          const faults = { name: name.fault, about: about.fault, picture: picture.fault };
          if (Object.values(faults).some((fault) => fault !== undefined)) {
            const written = { ...person, name: name.text, about: about.text };
            return { ...profilePage(written, token, { isSaved: false, faults }), status: 422 };
          }
          const change = { name: name.text, about: about.text };
          await store.people.change(
            person.id,
            picture.picture === undefined ? change : { ...change, picture: picture.picture },
          );
          return { goTo: "/profile?saved" };
        },
      },
    ],
  };
}
