import assert from "node:assert/strict";
import { test } from "node:test";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { createAssurePerson } from "./assure-person.ts";
import { createSocialApp } from "./social-app.ts";
import type { Person, SocialStore } from "./store.ts";
import { createVisits } from "./visits.ts";

const ADA = parseEName("@00000000-0000-4000-8000-00000000000a");
const CONFIG = { name: "Test", publicUrl: "http://127.0.0.1:1", registryUrl: "http://127.0.0.1:9" };
const CLOCK = { nowMs: () => 0 };
const later = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The people and the sessions of a platform in memory; other parts of the store are not reached. */
function createStore() {
  const people: Person[] = [];
  const visits = new Map<string, EName>();
  const store = {
    people: {
      findByEName: async (ename: string) => {
        await later();
        return people.find((person) => person.ename === ename);
      },
      add: async (ename: EName) => {
        await later();
        people.push({ id: String(people.length), ename, name: "", about: "", picture: null });
      },
    },
    visits: {
      begin: async ({ key, ename }: { readonly key: string; readonly ename: EName }) => void visits.set(key, ename),
      find: async (key: string) => visits.get(key),
      end: async (key: string) => void visits.delete(key),
    },
  } as unknown as SocialStore;
  return { store, people, visits };
}

test("two logins of one person at once make one profile, and one of their vault is used", async () => {
  const { store, people } = createStore();
  const assure = createAssurePerson({ store, findProfile: async () => 0 });
  await Promise.all([assure(ADA), assure(ADA), assure(ADA)]);
  assert.equal(people.length, 1);
  const other = createStore();
  const findProfile = async (ename: EName) => {
    await other.store.people.add(ename);
    return 1;
  };
  await createAssurePerson({ store: other.store, findProfile })(ADA);
  assert.equal(other.people.length, 1);
});

test("a page does not make a profile again that was removed: it ends the session and leads to the login", async () => {
  const { store, people, visits } = createStore();
  const app = createSocialApp({ store, clock: CLOCK, findProfile: async () => 0, onError: () => undefined }, CONFIG);
  const setCookie = await createVisits({ store: store.visits, clock: CLOCK }, CONFIG).begin(ADA);
  const cookie = setCookie.split(";")[0] ?? "";
  for (const path of ["/", "/profile"]) {
    const route = app.routes.find((each) => each.method === "get" && each.path === path);
    const request = new Request(CONFIG.publicUrl + path, { headers: { cookie } });
    const answers = await Promise.all([1, 2].map(() => route?.answer({ request, params: {} })));
    for (const answer of answers) assert.equal(answer?.headers.get("location"), "/login");
  }
  assert.deepEqual([people.length, visits.size], [0, 0]);
});
