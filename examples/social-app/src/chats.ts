import { notFound } from "./page-refusal.ts";
import { chatPage, chatsPage, newChatPage } from "./pages/chat-pages.ts";
import { readText, TEXTS } from "./social-form.ts";
import type { FormHandler, HandlerDeps, PageHandler, PersonalCall } from "./social-route.ts";
import type { Chat } from "./store.ts";

const MOST_CHATS = 100;
const MOST_PEOPLE = 200;
const MOST_MEMBERS = 50;
const MOST_MESSAGES = 200;

/** Makes group chats, which only their members see. Refuses: PageRefusal 404; the store's errors. */
export function createChats({ store, nowMs }: HandlerDeps): {
  readonly pages: readonly PageHandler[];
  readonly forms: readonly FormHandler[];
} {
  const findOwn = async ({ params, person }: PersonalCall): Promise<Chat> => {
    const chat = await store.chats.find(params["id"] ?? "");
    if (!chat?.members.some(({ id }) => id === person.id)) throw notFound("chat");
    return chat;
  };
  const others = async ({ person }: PersonalCall) =>
    (await store.people.list(MOST_PEOPLE)).filter(({ id }) => id !== person.id);
  const show = async (call: PersonalCall, chat: Chat, written: { text: string; fault: string | undefined }) =>
    chatPage({
      chat,
      messages: await store.chats.messages(chat.id, MOST_MESSAGES),
      token: call.token,
      written,
      nowMs: nowMs(),
    });
  return {
    pages: [
      { path: "/chats", show: async ({ person }) => chatsPage(await store.chats.listOf(person.id, MOST_CHATS)) },
      {
        path: "/chats/new",
        show: async (call) => newChatPage(await others(call), call.token, { name: "", chosen: new Set(), faults: {} }),
      },
      {
        path: "/chats/:id",
        show: async (call) => show(call, await findOwn(call), { text: "", fault: undefined }),
      },
    ],
    forms: [
      {
        path: "/chats",
        take: async (call) => {
          const people = await others(call);
          const name = readText(call.form, TEXTS.chat);
          const chosen = new Set(call.form.getAll("member").map(String));
          const members = people.filter(({ id }) => chosen.has(id));
          const fault =
            members.length === 0 || members.length > MOST_MEMBERS ? `Choose 1 to ${MOST_MEMBERS} people.` : undefined;
          if (name.fault === undefined && fault === undefined) {
            return { goTo: `/chats/${await store.chats.open(call.person.id, name.text, [call.person, ...members])}` };
          }
          const faults = { name: name.fault, members: fault };
          return { ...newChatPage(people, call.token, { name: name.text, chosen, faults }), status: 422 };
        },
      },
      {
        path: "/chats/:id/messages",
        take: async (call) => {
          const chat = await findOwn(call);
          const written = readText(call.form, TEXTS.message);
          if (written.fault !== undefined) return { ...(await show(call, chat, written)), status: 422 };
          await store.chats.say(chat.id, call.person.id, written.text);
          return { goTo: `/chats/${chat.id}` };
        },
      },
    ],
  };
}
