import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { Readable } from "node:stream";
import { test } from "node:test";
import { readPosition } from "@dataspace/awareness/http/feed-request";
import { parseAccessPolicy } from "@dataspace/protocol/access-policy";
import { parseEName } from "@dataspace/protocol/ename";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { signatureCandidates } from "@dataspace/protocol/signature";
import { parseWebhookSecret } from "@dataspace/protocol/webhook-secret";
import { verifyWebhook } from "@dataspace/protocol/webhook-signature";
import { parseWebhookEvent } from "@dataspace/receiver/webhook-event";
import { readListPage } from "@dataspace/registry/names/list-page";
import { createBodyPool } from "@dataspace/service-kit/http/body-pool";
import { collectJsonBody } from "@dataspace/service-kit/http/json-body";
import { isLossyNumber } from "@dataspace/service-kit/http/lossy-numbers";
import { Refusal } from "@dataspace/service-kit/http/refusal";
import { createCursorSeal } from "@dataspace/vault/paging/cursor";
import { parseWalletUri } from "@dataspace/wallet/parse-wallet-uri";
import { WalletError } from "@dataspace/wallet/wallet-error";
import fc from "fast-check";
import { workOf } from "./work-of.ts";

/** A parser of text from outside, and the errors it may throw. */
interface Parser {
  readonly name: string;
  readonly parse: (text: string) => unknown;
  /** Texts of any length that take a non-linear parser a long time. */
  readonly bombs: readonly ((length: number) => string)[];
}

const seed = Number(process.env["HOSTILE_SEED"] ?? randomInt(2 ** 30));
const LIMIT_BYTES = 64 * 1_048_576;

/** The bounds of a body that arrives at once, with a pool of its own. */
function openBounds() {
  return { limitBytes: LIMIT_BYTES, arriveWithinMs: 60_000, hold: createBodyPool(2 * LIMIT_BYTES)("somebody") };
}
/** Long enough that quadratic work stands out from the machine's other work. */
const BASE_LENGTH = 2_048;
/** On four times the text: three times the work at each doubling. */
const MOST_GROWTH = 9;
/** Below this time the measurement is noise. */
const MEASURABLE_MS = 5;
const MOST_LENGTH = 131_072;
const MEASUREMENTS = 6;

const seal = createCursorSeal("a secret of at least thirty-two characters");
const nowSeconds = 1_795_000_000;
const secrets = [new Uint8Array(32)];

const asPolicy = (text: string): unknown => parseAccessPolicy(text.startsWith("{") ? jsonOrText(text) : text);
const verify = (headers: Readonly<Record<string, string>>): Promise<unknown> =>
  verifyWebhook({
    headers: {
      "webhook-id": "a",
      "webhook-timestamp": String(nowSeconds),
      "webhook-signature": "v1,AAAA",
      ...headers,
    },
    body: "{}",
    secrets,
    publicKeys: [],
    nowSeconds,
  });
const repeated =
  (unit: string, head = "", tail = "") =>
  (length: number): string =>
    head + unit.repeat(Math.ceil(length / unit.length)) + tail;
const TEXT_BOMBS = [
  repeated("a"),
  repeated(" ", "a", "a"),
  repeated("=", "A", "!"),
  repeated("."),
  repeated("%41"),
  repeated('\\"'),
];

const PARSERS: readonly Parser[] = [
  {
    name: "a JSON body",
    parse: async (text) => (await collectJsonBody(Readable.from([Buffer.from(text)]), openBounds())).parse(),
    bombs: [
      ...TEXT_BOMBS,
      repeated('\\"', '[1e400,"', ""),
      repeated("\\\\", '[1e400,"', '"]'),
      repeated("1e400,", "[", "0]"),
      repeated("[],", "[", "[]]"),
      repeated("9", "[1e400,", "]"),
      repeated("9.", "[1e400,", "]"),
      repeated('"', "[1e400,", ""),
    ],
  },
  {
    name: "a number of JSON",
    parse: (text) => isLossyNumber(text.replaceAll(/[^0-9.eE-]/g, "0")),
    bombs: [repeated("0", "1.", "e1"), repeated("0", "0.", "e5")],
  },
  { name: "an eName", parse: parseEName, bombs: [...TEXT_BOMBS, repeated("@"), repeated("\n", "@")] },
  {
    name: "a policy",
    parse: asPolicy,
    bombs: [
      ...TEXT_BOMBS,
      repeated('{"ename":"@7c0e8b5a-4f3d-4a41-9f4c-1d2e3f405162","perms":1},', '{"grants":[', "1]}"),
      repeated(".a", '{"require":[[{"ontology":"a","op":"==","value":1,"path":"$', '"}]]}'),
      repeated("[0]", '{"require":[[{"ontology":"a","op":"==","value":1,"path":"$', '"}]]}'),
      repeated("[],", '{"require":[', "[]]}"),
    ],
  },
  {
    name: "a signature",
    parse: signatureCandidates,
    bombs: [...TEXT_BOMBS, repeated("1", "z"), repeated("A", "m"), repeated("a", "f")],
  },
  {
    name: "a webhook secret",
    parse: parseWebhookSecret,
    bombs: [repeated("=", "whsec_A", "A"), repeated("A", "whsec_"), repeated(" ", "whsec_")],
  },
  {
    name: "a webhook's signatures",
    parse: (text) => verify({ "webhook-signature": text }),
    bombs: [...TEXT_BOMBS, repeated("v1,AAAA "), repeated("=", "v1,", "a"), repeated("v1a,A ")],
  },
  { name: "a webhook's id", parse: (text) => verify({ "webhook-id": text }), bombs: TEXT_BOMBS },
  {
    name: "a webhook's time",
    parse: (text) => verify({ "webhook-timestamp": text }),
    bombs: [...TEXT_BOMBS, repeated("9")],
  },
  {
    name: "a webhook's event",
    parse: (text) => parseWebhookEvent(Buffer.from(text)),
    bombs: [...TEXT_BOMBS, repeated("[", '{"data":')],
  },
  {
    name: "a wallet URI",
    parse: parseWalletUri,
    bombs: [
      ...TEXT_BOMBS,
      repeated("&a=b", "ds://sign?session=aaaaaaaaaaaaaaaa"),
      repeated("%25", "ds://auth?redirect="),
      repeated("A", "ds://sign?session=aaaaaaaaaaaaaaaa&redirect_uri=https://a.example/&data="),
      repeated("=", "ds://sign?session=aaaaaaaaaaaaaaaa&redirect_uri=https://a.example/&data="),
      repeated("/", "ds://file?id=@7c0e8b5a-4f3d-4a41-9f4c-1d2e3f405162/"),
      repeated("a=b&", "https://a.example/api/auth?"),
    ],
  },
  { name: "a cursor of the vault", parse: (text) => seal.open("list", text), bombs: TEXT_BOMBS },
  { name: "a cursor of the registry", parse: (text) => readListPage({ limit: "1", cursor: text }), bombs: TEXT_BOMBS },
  { name: "a cursor of the feed", parse: readPosition, bombs: [...TEXT_BOMBS, repeated("9")] },
];

/** Near what a parser accepts, and far from it. */
const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.json(),
  fc.uuid().map((uuid) => `@${uuid}`),
  fc.webUrl({ withQueryParameters: true }).map((url) => url.replace(/^https?/, "ds")),
  fc.base64String({ maxLength: 200 }).map((text) => `whsec_${text}`),
  fc.stringMatching(/^ds:\/\/(?:auth|sign|file)\?(?:session|data|redirect_uri|redirect|id)=[a-zA-Z0-9%@/:=&_-]{0,80}$/),
  fc.stringMatching(/^v1a?,[A-Za-z0-9+/=]{0,90}( v1,[A-Za-z0-9+/=]{0,90})?$/),
  fc
    .record({ v: fc.anything(), grants: fc.anything(), denials: fc.anything(), require: fc.anything() })
    .map((value) => fc.stringify(value)),
  fc.constantFrom("__proto__", "constructor", "\u0000", "\ud800", "1e400", "-0", '{"__proto__":1}', '{"v":1e400}'),
);

for (const { name, parse, bombs } of PARSERS) {
  test(`the parser of ${name} refuses whatever it does not read by a refusal of its own [decision V2]`, async (context) => {
    context.diagnostic(`seed ${seed}; the same again: HOSTILE_SEED=${seed}`);
    await fc.assert(
      fc.asyncProperty(texts, async (text) => assertRefusesOwn(parse, text)),
      { seed, numRuns: 400 },
    );
    for (const bomb of bombs) await assertRefusesOwn(parse, bomb(BASE_LENGTH));
  });

  test(`the parser of ${name} does at most three times the work on twice the text [decision V25]`, async () => {
    for (const [index, bomb] of bombs.entries()) {
      const slowest = await findGrowth(parse, bomb);
      assert.ok(slowest.growth <= MOST_GROWTH, `bomb ${index}: ${JSON.stringify(slowest)}`);
    }
  });
}

/**
 * Doubles a text until its work is measurable, and then makes it four times as long. Out: the least growth of six
 * measurements.
 */
async function findGrowth(
  parse: Parser["parse"],
  bomb: (length: number) => string,
): Promise<{ readonly length: number; readonly growth: number }> {
  let length = BASE_LENGTH;
  let onceMs = await workOf(() => attempt(parse, bomb(length)));
  while (onceMs < MEASURABLE_MS && length < MOST_LENGTH) {
    length *= 2;
    const text = bomb(length);
    onceMs = await workOf(() => attempt(parse, text));
  }
  if (onceMs < MEASURABLE_MS) return { length, growth: 1 };
  const [once, fourfold] = [bomb(length), bomb(length * 4)];
  let growth = Number.POSITIVE_INFINITY;
  for (let time = 0; time < MEASUREMENTS && growth > MOST_GROWTH; time++) {
    const fourfoldMs = await workOf(() => attempt(parse, fourfold));
    growth = Math.min(growth, fourfoldMs / (await workOf(() => attempt(parse, once))));
  }
  return { length, growth };
}

async function assertRefusesOwn(parse: Parser["parse"], text: string): Promise<void> {
  const error = await attempt(parse, text);
  const isOwn =
    error === undefined || error instanceof Refusal || error instanceof ProtocolError || error instanceof WalletError;
  if (!isOwn) assert.fail(`${JSON.stringify(text.slice(0, 200))} threw ${String(error)}`);
}

async function attempt(parse: Parser["parse"], text: string): Promise<unknown> {
  try {
    await parse(text);
    return undefined;
  } catch (error) {
    return error;
  }
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
