/** A value that a field may be given. `json` is JSON text, which need not be well-formed Unicode or a double. */
export interface HostileValue {
  readonly name: string;
  readonly json: string;
}

/** How long the long texts and lists are. The bodies stay below 1 MiB, which every JSON endpoint accepts. */
const LONG = 100_000;

const NUMBERS = [
  ...[
    "0",
    "-0",
    "-1",
    "1",
    "1.5",
    "2147483646",
    "2147483647",
    "2147483648",
    "-2147483648",
    "-2147483649",
    "4294967296",
  ],
  ...["9007199254740991", "9007199254740992", "9007199254740993", "9223372036854775807", "9223372036854775808"],
  ...[
    "-9223372036854775809",
    "1e21",
    "1e308",
    "1e400",
    "-1e400",
    "5e-324",
    "1e-400",
    "253402300800000",
    "8640000000000001",
  ],
];

const TEXTS: Readonly<Record<string, string>> = {
  empty: "",
  blank: " \t\n",
  NUL: "\u0000",
  "NUL inside": "a\u0000b",
  "high surrogate alone": "a\ud800",
  "low surrogate alone": "\udc00a",
  bidi: "a\u202eb\u2066c",
  "combining marks": `a${"\u0301".repeat(2_000)}`,
  __proto__: "__proto__",
  constructor: "constructor",
  "percent signs": "%%%25%00%E0%A4%A",
  "path upwards": "../../../../etc/passwd",
  quotes: "'\"`;--\\",
  "SQL wildcards": "%_%_%_%",
  "200 fraction digits": `2026-01-01T00:00:00.${"9".repeat(200)}Z`,
  "year 1": "0001-01-01T00:00:00Z",
  "year 275760": "+275760-09-13T00:00:00.000Z",
  "offset +16:00": "2026-01-01T00:00:00+16:00",
  "leap second": "2026-12-31T23:59:60Z",
  "eName in capitals": "@7C0E8B5A-4F3D-4A41-9F4C-1D2E3F405162",
  "eName of nobody": "@00000000-0000-0000-0000-000000000000",
  "closed port": "http://127.0.0.1:1/",
  "mapped address": "http://[::ffff:127.0.0.1]:1/",
  "user in URL": "http://a:b@127.0.0.1:1/",
  "NUL in URL": "http://127.0.0.1:1/\u0000",
  "wallet URI": "ds://sign?session=aaaaaaaaaaaaaaaa&data=e30&redirect_uri=http://127.0.0.1:1/",
  "secret without bytes": "whsec_",
};

const LONG_TEXTS: Readonly<Record<string, string>> = {
  "a long": "a".repeat(LONG),
  "blanks long": " ".repeat(LONG),
  "blanks long, then a": `a${" ".repeat(LONG)}a`,
  "digits long": "9".repeat(LONG),
  "equals long": `whsec_${"=".repeat(LONG)}a`,
  "base64 long": `whsec_${"A".repeat(LONG)}`,
  "quotes long": '"\\'.repeat(LONG / 4),
  "dots long": "a.".repeat(LONG / 2),
  "at signs long": "@".repeat(LONG),
  "line ends long": "\r\n".repeat(LONG / 2),
  "path long": `$${".a".repeat(LONG / 2)}`,
  "brackets long": "[".repeat(LONG),
  "emoji long": "\u{1f600}".repeat(LONG / 4),
  "257 characters": "a".repeat(257),
};

const STRUCTURES: Readonly<Record<string, string>> = {
  null: "null",
  true: "true",
  false: "false",
  "empty list": "[]",
  "empty object": "{}",
  "list in list": "[[[]]]",
  "list of mixed": '[null,1,"a",{},[],true]',
  "own __proto__": '{"__proto__":{"isOwner":true}}',
  "own constructor": '{"constructor":{"prototype":{"isOwner":true}}}',
  "own toString": '{"toString":1,"valueOf":2,"toJSON":3,"then":4,"length":-1}',
  "empty key": '{"":""}',
  "NUL key": '{"\\u0000":1}',
  "duplicate keys": '{"a":1,"a":2}',
  "nested 70": `${"[".repeat(70)}1${"]".repeat(70)}`,
  "nested 5000": `${"[".repeat(5_000)}1${"]".repeat(5_000)}`,
  "objects nested 5000": `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`,
  "list of 100000": `[${"1,".repeat(LONG - 1)}1]`,
  "list of 10000 wrong items": `[${"{},".repeat(9_999)}{}]`,
  "list of empty lists": `[${"[],".repeat(LONG - 1)}[]]`,
  "object of 10000": `{${Array.from({ length: 10_000 }, (_value, index) => `"k${index}":0`).join(",")}}`,
  "1000 digits": "9".repeat(1_000),
  "number and quotes": `[1e400,"${'\\"'.repeat(LONG / 2)}"]`,
  "number and backslashes": `[1e400,"${"\\\\".repeat(LONG / 2)}"]`,
  "many lossy numbers": `[${"1e400,".repeat(20_000)}0]`,
};

/** Every value that each field is given. The short ones come first. */
export const HOSTILE_VALUES: readonly HostileValue[] = [
  ...NUMBERS.map((json) => ({ name: json, json })),
  ...Object.entries(STRUCTURES).map(([name, json]) => ({ name, json })),
  ...Object.entries({ ...TEXTS, ...LONG_TEXTS }).map(([name, text]) => ({ name, json: JSON.stringify(text) })),
];

/** The same values as they stand in a path or a query: percent-encoded, and as they must not be written. At most 8,000 characters. */
export const HOSTILE_URL_TEXTS: readonly { readonly name: string; readonly text: string }[] = [
  ...NUMBERS.map((text) => ({ name: text, text: encodeURIComponent(text) })),
  ...Object.entries({ ...TEXTS, ...LONG_TEXTS }).map(([name, text]) => ({
    name,
    text: encodeURIComponent(text.toWellFormed()).slice(0, 8_000),
  })),
  { name: "broken percent", text: "%" },
  { name: "broken percent pair", text: "%zz" },
  { name: "broken UTF-8", text: "%E0%A4%A" },
  { name: "surrogate in UTF-8", text: "%ED%A0%80" },
  { name: "encoded slash", text: "..%2f..%2fetc" },
  { name: "double encoded", text: "%252e%252e%252f" },
  { name: "raw brackets", text: "a[]=1&a[b]=2&__proto__[x]=1" },
  { name: "semicolons", text: ";a=b;c" },
  { name: "plus signs", text: "+".repeat(4_000) },
  { name: "repeated", text: `a${"&limit=1&first=1&cursor=1&dsid=1&ontology=a".repeat(150)}` },
];

/** The same values as header text, which holds neither line ends nor NUL. At most 8,000 characters. */
export const HOSTILE_HEADER_TEXTS: readonly { readonly name: string; readonly text: string }[] = [
  ...NUMBERS.map((text) => ({ name: text, text })),
  ...Object.entries({ ...TEXTS, ...LONG_TEXTS })
    .map(([name, text]) => ({
      name,
      text: text
        .toWellFormed()
        .replaceAll(/\p{Cc}/gu, " ")
        .slice(0, 8_000),
    }))
    .filter(({ text }) => text !== ""),
];
