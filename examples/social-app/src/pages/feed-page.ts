import { emptyState } from "@dataspace/ui/empty-state";
import { field } from "@dataspace/ui/field";
import { moment } from "@dataspace/ui/moment";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { ReadText } from "../social-form.ts";
import { TEXTS } from "../social-form.ts";
import type { SocialPage } from "../social-route.ts";
import type { Person, Post } from "../store.ts";
import { clip, personLink } from "./person.ts";

/** How many posts a page of the feed shows. */
export const FEED_LENGTH = 20;

/** What the feed shows: one post more than fits says that there is a next page. */
export interface FeedContent {
  readonly posts: readonly Post[];
  readonly person: Person;
  readonly token: Html;
  readonly written: ReadText;
  readonly nowMs: number;
  /** The address of this page of the feed. */
  readonly at: string;
}

/** Renders the feed: a form for a new post, and posts, the newest first. Refuses: never. */
export function feedPage({ posts, person, token, written, nowMs, at }: FeedContent): SocialPage {
  const shown = posts.slice(0, FEED_LENGTH);
  const last = posts.length > FEED_LENGTH ? shown.at(-1) : undefined;
  const main = html`<h1>Posts</h1>
<form class="card" method="post" action="/posts">${token}
${field({ ...textField("New post"), value: written.text, fault: written.fault })}
<button>Publish</button></form>
<ds-live id="feed" from="${at}" every="2">
${shown.length === 0 && emptyState({ illustration: "records", title: "No posts yet", text: "Write the first one above. It is stored in your vault and appears on every platform that you use." })}
${shown.map((post) => postCard(post, person, nowMs))}
</ds-live>
${last && html`<nav aria-label="Pages"><a class="button quiet" href="/?after=${encodeURIComponent(`${last.writtenAt}~${last.id}`)}">Older posts</a></nav>`}`;
  return { title: "Posts", main, isNarrow: true };
}

/** Renders the form that changes or deletes a post. Refuses: never. */
export function editPage(post: Post, token: Html, written: ReadText): SocialPage {
  const main = html`<div><h1>Edit the post</h1><p class="muted">The change is written to your vault. Other platforms show it at once.</p></div>
<form class="card" method="post" action="/posts/${post.id}">${token}
${field({ ...textField("Post"), value: written.text, fault: written.fault, hasFocus: true })}
<div class="row"><button>Save</button><a class="button quiet" href="/">Cancel</a></div></form>
<form class="card" method="post" action="/posts/${post.id}/delete">${token}
<div><h2>Delete the post</h2><p class="muted">It disappears here, from your vault and from other platforms.</p></div>
<button class="danger">Delete</button></form>`;
  return { title: "Edit the post", main, isNarrow: true };
}

function textField(label: string) {
  return { name: TEXTS.post.name, label, isLong: true, isRequired: true, maxLength: TEXTS.post.maxLength };
}

function postCard({ id, author, text, writtenAt }: Post, person: Person, nowMs: number): Html {
  return html`<article class="card post" aria-label="Post">
<header>${personLink(author)}<span class="muted small">${moment(writtenAt, nowMs)}</span></header>
<p class="written">${clip(text)}</p>
${author?.id === person.id && html`<div><a href="/posts/${id}/edit">Edit<span class="spoken"> the post “${clip(text, 40)}”</span></a></div>`}
</article>`;
}
