import assert from "node:assert/strict";
import { test } from "node:test";
import { readCode, readMarkdown, readSchema } from "./prose-text.ts";

const textsOf = (pieces: readonly { readonly text: string }[]) => pieces.map(({ text }) => text);

test("the prose of a page is its paragraphs, items and cells, without fenced code and link targets", () => {
  const page =
    "# A title\n\nOne line\nand another.\n\n- an [item](https://example.org)\n\n```sh\nnpm start\n```\n\n| a | b |\n";
  assert.deepEqual(textsOf(readMarkdown(page)), ["# A title", "One line and another.", "- an [item]", "a", "b"]);
});

test("the prose of a page leaves out cells that list names", () => {
  assert.deepEqual(textsOf(readMarkdown("| one, two, three | one, and two words |\n")), ["one, and two words"]);
});

test("the prose of a source is its comments and sentences in strings, without SQL, queries and short texts", () => {
  const source = `// Line one\n// goes on.\nconst a = "select id from t where id = 1";\nconst b = "This message has five words.";\nconst c = "key";\n`;
  const { pieces, names } = readCode("a.ts", source);
  assert.deepEqual(textsOf(pieces), ["Line one goes on.", "This message has five words."]);
  assert.deepEqual(names.map(({ name }) => name).sort(), ["a", "b", "c"]);
});

test("a piece has the line where it starts, and a docstring's labels start pieces", () => {
  const { pieces } = readCode("a.ts", "/**\n * Reads it.\n *\n * Refuses: never.\n */\nexport const a = 1;\n");
  assert.deepEqual(
    pieces.map(({ line, text, loose }) => [line, text, loose]),
    [
      [2, "Reads it.", false],
      [4, "Refuses: never.", true],
    ],
  );
});

test("the prose of a GraphQL schema is its descriptions and comments", () => {
  assert.deepEqual(textsOf(readSchema('"One field."\ntype A { b: Int } # a note\n')), ["One field.", "a note"]);
});
