import { createSeededRandom } from "@dataspace/service-kit/testing/test-random";
import { INJECTION_TEXTS } from "../corpus/injection-texts.ts";

/** A source of numbers from 0 to below n that gives the same for the same seed. */
export type Chooser = (n: number) => number;

/** Makes a chooser. In: any 32-bit seed. */
export function createChooser(seed: number): Chooser {
  const random = createSeededRandom(seed);
  return (n) => Math.floor(random() * n);
}

const PIECES: readonly string[] = [
  ...INJECTION_TEXTS,
  ...["{", "}", "[", "]", "(", ")", ":", ",", "!", "$", "@", "|", "...", "#", '"', '\\"', '"""', "\\u0000", "\\ud800"],
  ...["null", "true", "-0", "1e400", "1e-400", "9007199254740993", "-1", "2147483648", "__proto__", "constructor"],
  ...[
    "__typename",
    "__schema",
    "{__schema{types{name}}}",
    "@include(if:true)",
    "on MetaEnvelope",
    "fragment F on Query",
  ],
  ...[
    "query",
    "mutation",
    "subscription",
    "metaEnvelopes",
    "first",
    "after",
    "payload",
    "acl",
    "input",
    "id",
    "\u202e",
  ],
  ...["{".repeat(70), "[".repeat(70), "x".repeat(5_000), "\u0000", "\ufeff", "é", "日", "\ud83d", "\r\n", "\t"],
];

/** Changes a text in one to four places: pieces put in, put over, taken out, doubled, swapped; letters changed. */
export function mutate(text: string, choose: Chooser): string {
  let changed = text;
  for (let times = 1 + choose(4); times > 0; times -= 1) changed = mutateOnce(changed, choose);
  return changed;
}

function mutateOnce(text: string, choose: Chooser): string {
  const at = choose(text.length + 1);
  const to = Math.min(text.length, at + 1 + choose(24));
  const piece = PIECES[choose(PIECES.length)] ?? "";
  switch (choose(7)) {
    case 0:
      return text.slice(0, at) + piece + text.slice(at);
    case 1:
      return text.slice(0, at) + piece + text.slice(to);
    case 2:
      return text.slice(0, at) + text.slice(to);
    case 3:
      return text.slice(0, to) + text.slice(at);
    case 4:
      return text.slice(0, at) + String.fromCharCode(choose(choose(2) === 0 ? 128 : 65_536)) + text.slice(at + 1);
    case 5:
      return text.slice(0, at);
    default:
      return text.slice(0, at) + text.slice(at, to).repeat(1 + choose(40)) + text.slice(to);
  }
}
