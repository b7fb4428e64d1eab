import { type Attack, get, postRaw, type Target } from "./attack.ts";

const JSON_TYPE = "Content-Type: application/json";
const host = "Host: 127.0.0.1";

const TWICE: readonly (readonly [what: string, lines: (target: Target) => readonly string[]])[] = [
  ["X-ENAME, both the same", ({ attacker }) => [host, `X-ENAME: ${attacker}`, `X-ENAME: ${attacker}`]],
  ["X-ENAME, the victim's second", ({ attacker, victim }) => [host, `X-ENAME: ${attacker}`, `x-ename: ${victim}`]],
  ["X-ENAME, the victim's first", ({ attacker, victim }) => [host, `X-ename: ${victim}`, `X-ENAME: ${attacker}`]],
  ["X-ENAME, one empty", ({ attacker }) => [host, "X-ENAME:", `X-ENAME: ${attacker}`]],
  [
    "Authorization",
    ({ attacker }) => [host, `X-ENAME: ${attacker}`, "Authorization: Bearer a", "authorization: Bearer b"],
  ],
  [
    "X-ON-BEHALF-OF",
    ({ attacker, victim }) => [
      host,
      `X-ENAME: ${attacker}`,
      `X-ON-BEHALF-OF: ${victim}`,
      `X-ON-BEHALF-OF: ${attacker}`,
    ],
  ],
  ["Host", ({ attacker }) => [host, "Host: evil.example", `X-ENAME: ${attacker}`]],
  ["Content-Length", ({ attacker }) => [host, `X-ENAME: ${attacker}`, "Content-Length: 1"]],
  ["a length, and chunks", ({ attacker }) => [host, `X-ENAME: ${attacker}`, "Transfer-Encoding: chunked"]],
];

const MALFORMED: readonly (readonly [what: string, lines: (target: Target) => readonly string[]])[] = [
  ["both eNames in one X-ENAME", ({ attacker, victim }) => [host, `X-ENAME: ${attacker}, ${victim}`]],
  ["a folded X-ENAME", ({ attacker, victim }) => [host, `X-ENAME: ${attacker}`, ` ${victim}`]],
  ["a NUL in X-ENAME", ({ attacker }) => [host, `X-ENAME: ${attacker}\u0000`]],
  ["a carriage return in X-ENAME", ({ attacker }) => [host, `X-ENAME: ${attacker}\rX-Other: 1`]],
  ["a full-width @", ({ attacker }) => [host, `X-ENAME: \uFF20${attacker.slice(1)}`]],
  ["two @", ({ attacker }) => [host, `X-ENAME: @${attacker}`]],
  ["braces", ({ attacker }) => [host, `X-ENAME: @{${attacker.slice(1)}}`]],
  ["no hyphens", ({ attacker }) => [host, `X-ENAME: ${attacker.replaceAll("-", "")}`]],
  ["a zero-width space", ({ attacker }) => [host, `X-ENAME: ${attacker}\u200b`]],
  ["a path", ({ attacker }) => [host, `X-ENAME: ../${attacker}`]],
  ["a quoted eName", ({ attacker }) => [host, `X-ENAME: "${attacker}"`]],
  ["a comment in X-ENAME", ({ attacker }) => [host, `X-ENAME: ${attacker}/**/`]],
  ["a space before the colon", ({ attacker }) => [host, `X-ENAME : ${attacker}`]],
  ["no colon", ({ attacker }) => [host, `X-ENAME ${attacker}`]],
  ["an empty header name", ({ attacker }) => [host, `X-ENAME: ${attacker}`, ": x"]],
  ["an invalid eName for X-ON-BEHALF-OF", ({ attacker }) => [host, `X-ENAME: ${attacker}`, "X-ON-BEHALF-OF: alice"]],
  ["no host", ({ attacker }) => [`X-ENAME: ${attacker}`]],
  ["an invalid transfer encoding", ({ attacker }) => [host, `X-ENAME: ${attacker}`, "Transfer-Encoding: xchunked"]],
  [
    "a chunk size that overflows",
    ({ attacker }) => [host, `X-ENAME: ${attacker}`, "Transfer-Encoding: chunked, identity"],
  ],
];

const FORWARDED: readonly Readonly<Record<string, string>>[] = [
  { "x-forwarded-host": "gateway.example", "x-forwarded-proto": "https" },
  { forwarded: "host=gateway.example;proto=https;for=10.0.0.1" },
  { "x-original-url": "/logs", "x-rewrite-url": "/logs" },
  { "x-http-method-override": "DELETE" },
  { "x-forwarded-for": "127.0.0.1", "x-real-ip": "127.0.0.1", "true-client-ip": "::1" },
];

/** Headers that are there twice, malformed, or meant to be taken for a gateway's. Threats T-15, T-20, T-21. */
export const HEADER_ATTACKS: readonly Attack[] = [
  ...TWICE.map(
    ([what, lines]): Attack => ({
      threat: "T-20",
      what: `twice ${what}`,
      send: (target) => postRaw(target, [JSON_TYPE, ...lines(target)]),
      expected: "400",
    }),
  ),
  ...MALFORMED.map(
    ([what, lines]): Attack => ({
      threat: what.includes("@") || what.includes("zero-width") ? "T-15" : "T-20",
      what,
      send: (target) => postRaw(target, [JSON_TYPE, ...lines(target)]),
      expected: "400",
    }),
  ),
  ...FORWARDED.map(
    (headers): Attack => ({
      threat: "T-21",
      what: Object.keys(headers).join(", "),
      send: (target) => get(target, "/whois", headers),
      expected: "200 served",
    }),
  ),
  {
    threat: "T-21",
    what: "a Host of somebody else",
    send: (target) => postRaw(target, [JSON_TYPE, "Host: evil.example", `X-ENAME: ${target.attacker}`]),
    expected: "403",
  },
];
