import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reply } from "./corpus/attack.ts";
import { HARMLESS_TEXT, INJECTION_TEXTS } from "./corpus/injection-texts.ts";
import { TEXT_ARGUMENTS, type TextArgument } from "./corpus/text-arguments.ts";
import { startVault } from "./support/start-vault.ts";
import { besiege } from "./support/unharmed.ts";

/** What an answer says beside ids, times, hashes, cursors and the wording of refusals. */
function shapeOf(status: number, body: unknown): string {
  const shown = JSON.stringify(body)
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uuid>")
    .replaceAll(/<uuid>\.[A-Za-z0-9_-]+/g, "<envelope>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replaceAll(/"(nextCursor|cursor|envelopeHash)":"[^"]+"/g, "$1")
    .replaceAll(/"message":"(?:[^"\\]|\\.)*"/g, "message");
  return `${status} ${shown}`;
}

/** The answer that the harmless text got, with another text wherever the harmless one stands in it. */
function withText(value: unknown, text: string): unknown {
  if (typeof value === "string") {
    return value
      .replaceAll(JSON.stringify(HARMLESS_TEXT), () => JSON.stringify(text))
      .replaceAll(encodeURIComponent(HARMLESS_TEXT), () => encodeURIComponent(text))
      .replaceAll(HARMLESS_TEXT, () => text);
  }
  if (Array.isArray(value)) return value.map((item) => withText(item, text));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [withText(key, text) as string, withText(item, text)]),
  );
}

const kindOf = ({ name }: TextArgument): string =>
  /^[A-Z]|^a path/.test(name)
    ? "headers and addresses"
    : /^(?:create|update|store|remove|rollback|delete)/.test(name)
      ? "mutations"
      : "queries";

for (const [kind, all = []] of Object.entries(Object.groupBy(TEXT_ARGUMENTS, kindOf))) {
  test(`[T-16] [T-17] in ${kind} a text that a statement would obey is answered as a harmless text is, and changes nothing of anybody else's`, async () => {
    await using vault = await startVault({ introspection: false });
    for (const { name, send } of all) {
      const { target, checkAnswer, checkVault } = await besiege(vault);
      const harmless: Reply = await send(target, HARMLESS_TEXT);
      const answer: unknown = JSON.parse(harmless.text);
      for (const text of INJECTION_TEXTS) {
        const reply = await send(target, text);
        const echoed = [JSON.stringify(text).slice(1, -1), encodeURIComponent(text)];
        const own = echoed.reduce((rest, echo) => rest.replaceAll(echo, ""), reply.text);
        checkAnswer({ ...reply, text: own }, `${name} ${text}`);
        const expected = shapeOf(harmless.status, withText(answer, text));
        assert.equal(shapeOf(reply.status, JSON.parse(reply.text)), expected, `${name} ${text}`);
      }
      await checkVault(name);
    }
  });
}
