import { emptyState } from "@dataspace/ui/empty-state";
import { field } from "@dataspace/ui/field";
import { moment } from "@dataspace/ui/moment";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { ReadText } from "../social-form.ts";
import { TEXTS } from "../social-form.ts";
import type { SocialPage } from "../social-route.ts";
import type { Chat, Message, Person } from "../store.ts";
import { avatar, clip, nameOf, personLink } from "./person.ts";

/** Renders the chats of a person. Refuses: never. */
export function chatsPage(chats: readonly Chat[]): SocialPage {
  const main = html`<div class="head level"><h1>Chats</h1><a class="button" href="/chats/new">New chat</a></div>
${chats.length === 0 && emptyState({ illustration: "deliveries", title: "No chats yet", text: "A chat that somebody opens with you appears here, whatever platform they use." })}
${
  chats.length > 0 &&
  html`<ul class="chats">${chats.map(
    ({ id, name, members }) =>
      html`<li><a class="card" href="/chats/${id}"><strong>${titleOf(name)}</strong><span class="muted">${members.map(nameOf).join(", ")}</span></a></li>`,
  )}</ul>`
}`;
  return { title: "Chats", main };
}

/** What was written into the form of a new chat. */
export interface NewChat {
  readonly name: string;
  readonly chosen: ReadonlySet<string>;
  readonly faults: { readonly name?: string | undefined; readonly members?: string | undefined };
}

/** Renders the form of a new chat. Refuses: never. */
export function newChatPage(people: readonly Person[], token: Html, { name, chosen, faults }: NewChat): SocialPage {
  const nobody = emptyState({
    illustration: "search",
    title: "Nobody else is here yet",
    text: "People appear here once their profile has reached this platform.",
  });
  const form = html`<form class="card" method="post" action="/chats">${token}
${field({ name: "name", label: "Name", value: name, isRequired: true, maxLength: TEXTS.chat.maxLength, fault: faults.name })}
<fieldset class="members"${faults.members && html` aria-describedby="members-fault"`}><legend>Members</legend>
${people.map(
  (person) =>
    html`<label class="check"><input type="checkbox" name="member" value="${person.id}"${chosen.has(person.id) && html` checked`}>${avatar(person)}<span>${nameOf(person)}</span></label>`,
)}
${faults.members && html`<span class="fault" id="members-fault">${faults.members}</span>`}</fieldset>
<button>Open the chat</button></form>`;
  return { title: "New chat", main: html`<h1>New chat</h1>${people.length === 0 ? nobody : form}`, isNarrow: true };
}

/** What a chat shows. */
export interface ChatContent {
  readonly chat: Chat;
  readonly messages: readonly Message[];
  readonly token: Html;
  readonly written: ReadText;
  readonly nowMs: number;
}

/** Renders a chat: its members, messages and a form. Refuses: never. */
export function chatPage({ chat, messages, token, written, nowMs }: ChatContent): SocialPage {
  const title = titleOf(chat.name);
  const message = { name: TEXTS.message.name, label: "Message", isLong: true, isRequired: true };
  const main = html`<div><h1>${title}</h1><div class="row people">${chat.members.map(personLink)}</div></div>
<ds-live id="messages" from="/chats/${chat.id}" every="2">
${messages.length === 0 && html`<p class="muted">No messages yet.</p>`}
${
  messages.length > 0 &&
  html`<ol class="messages">${messages.map(
    ({ sender, text, sentAt }) => html`<li class="card">
<header>${personLink(sender)}<span class="muted small">${moment(sentAt, nowMs)}</span></header><p class="written">${clip(text)}</p></li>`,
  )}</ol>`
}
</ds-live>
<form class="card" method="post" action="/chats/${chat.id}/messages">${token}
${field({ ...message, maxLength: TEXTS.message.maxLength, value: written.text, fault: written.fault })}
<button>Send</button></form>`;
  return { title, main, isNarrow: true };
}

function titleOf(name: string): string {
  return name.trim() === "" ? "Unnamed chat" : clip(name, 80);
}
