import { notFound } from "./page-refusal.ts";
import { editPage, FEED_LENGTH, feedPage } from "./pages/feed-page.ts";
import { readText, TEXTS } from "./social-form.ts";
import type { FormHandler, HandlerDeps, PageHandler, PersonalCall, SocialPage } from "./social-route.ts";
import type { FeedPlace, Post } from "./store.ts";

/** Makes the feed: reading it, and writing, editing and deleting one's own posts. Refuses: PageRefusal 404; the store's errors. */
export function createFeed({ store, nowMs }: HandlerDeps): {
  readonly pages: readonly PageHandler[];
  readonly forms: readonly FormHandler[];
} {
  const showFeed = async (
    call: PersonalCall,
    written = { text: "", fault: undefined as string | undefined },
  ): Promise<SocialPage> => {
    const place = readPlace(call.request);
    const posts = await store.posts.feed(place, FEED_LENGTH + 1);
    const at = place === undefined ? "/" : `/?after=${encodeURIComponent(`${place.writtenAt}~${place.id}`)}`;
    return feedPage({ posts, person: call.person, token: call.token, written, nowMs: nowMs(), at });
  };
  const findOwn = async ({ params, person }: PersonalCall): Promise<Post> => {
    const post = await store.posts.find(params["id"] ?? "");
    if (post === undefined || post.author?.id !== person.id) throw notFound("post");
    return post;
  };
  return {
    pages: [
      { path: "/", show: (call) => showFeed(call) },
      {
        path: "/posts/:id/edit",
        show: async (call) => {
          const post = await findOwn(call);
          return editPage(post, call.token, { text: post.text, fault: undefined });
        },
      },
    ],
    forms: [
      {
        path: "/posts",
        take: async (call) => {
          const written = readText(call.form, TEXTS.post);
          if (written.fault !== undefined) return { ...(await showFeed(call, written)), status: 422 };
          await store.posts.write(call.person.id, written.text);
          return { goTo: "/" };
        },
      },
      {
        path: "/posts/:id",
        take: async (call) => {
          const post = await findOwn(call);
          const written = readText(call.form, TEXTS.post);
          if (written.fault !== undefined) return { ...editPage(post, call.token, written), status: 422 };
          await store.posts.edit(post.id, written.text);
          return { goTo: "/" };
        },
      },
      {
        path: "/posts/:id/delete",
        take: async (call) => {
          await store.posts.remove((await findOwn(call)).id);
          return { goTo: "/" };
        },
      },
    ],
  };
}

/** `?after=<ISO time>~<id>`; anything else is the beginning. */
function readPlace(request: Request): FeedPlace | undefined {
  const [writtenAt = "", id = ""] = (new URL(request.url).searchParams.get("after") ?? "").split("~");
  const ms = Date.parse(writtenAt.slice(0, 40));
  return Number.isNaN(ms) || !/^[\w-]{1,64}$/.test(id) ? undefined : { writtenAt: new Date(ms).toISOString(), id };
}
