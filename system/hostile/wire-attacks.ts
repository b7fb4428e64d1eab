import { gzipSync } from "node:zlib";
import { exampleParts, type Operation, toRequest } from "./operation.ts";
import { type RawRequest, writeRequest } from "./raw-http.ts";

/** Bytes to send to an operation, and what is hostile about them. */
export interface WireAttack {
  readonly operation: Operation;
  readonly name: string;
  readonly bytes: Buffer;
  /** Whether what is sent is not a complete request, so that no answer may come. */
  readonly mayBeUnanswered: boolean;
}

type Change = (request: RawRequest) => RawRequest;

const add =
  (...headers: readonly (readonly [string, string])[]): Change =>
  (request) => ({ ...request, headers: [...request.headers, ...headers] });
const put =
  (name: string, value: string): Change =>
  (request) => ({
    ...request,
    headers: [...request.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase()), [name, value]],
  });
const body =
  (bytes: Buffer | string): Change =>
  (request) => ({ ...put("Content-Type", "application/json")(request), body: Buffer.from(bytes) });
const target =
  (write: (target: string) => string): Change =>
  (request) => ({ ...request, target: write(request.target) });

/** Whole requests that are odd in their form. */
const CHANGES: Readonly<Record<string, Change>> = {
  "X-ENAME twice": add(
    ["X-ENAME", "@7c0e8b5a-4f3d-4a41-9f4c-1d2e3f405162"],
    ["x-ename", "@7c0e8b5a-4f3d-4a41-9f4c-1d2e3f405163"],
  ),
  "Authorization twice": add(["Authorization", "Bearer a"], ["authorization", "Bearer b"]),
  "Host twice": add(["Host", "127.0.0.1"], ["host", "localhost"]),
  "foreign Host": put("Host", "evil.example"),
  "foreign Origin": put("Origin", "https://evil.example"),
  "Origin null": put("Origin", "null"),
  "forged forwarding": add(
    ["X-Forwarded-For", "127.0.0.1, ::1"],
    ["X-Forwarded-Host", "evil.example"],
    ["Forwarded", "for=127.0.0.1"],
  ),
  "method override": add(["X-HTTP-Method-Override", "DELETE"]),
  "3,000 headers": add(...Array.from({ length: 3_000 }, (_value, index) => [`x-${index}`, "a"] as const)),
  "32 KiB header": add(["X-Long", "a".repeat(32_768)]),
  "16 KiB cookie": put("Cookie", `a=${"b".repeat(15_000)}`),
  "1,000 cookies": put("Cookie", Array.from({ length: 1_000 }, (_value, index) => `a${index}=b`).join("; ")),
  "Basic credential": put("Authorization", "Basic YTpi"),
  "bearer of blanks": put("Authorization", `Bearer ${" ".repeat(8_000)}a`),
  "token without parts": put("Authorization", "Bearer a.b.c"),
  "token of 8,000 dots": put("Authorization", `Bearer ${".".repeat(8_000)}`),
  "unsigned token": put("Authorization", `Bearer ${Buffer.from('{"alg":"none"}').toString("base64url")}.e30.`),
  "text/plain": put("Content-Type", "text/plain"),
  "no media type": put("Content-Type", ""),
  "long media type": put("Content-Type", `application/json;${" ".repeat(8_000)}charset=utf-8;a=b`),
  multipart: put("Content-Type", "multipart/form-data; boundary=a"),
  "UTF-16 JSON": put("Content-Type", "application/json; charset=utf-16"),
  "form of 10,000 fields": (request) => ({
    ...put("Content-Type", "application/x-www-form-urlencoded")(request),
    body: Buffer.from("a=b&".repeat(10_000)),
  }),
  "gzip body": (request) => ({ ...put("Content-Encoding", "gzip")(body(gzipSync("0".repeat(10_000_000)))(request)) }),
  "broken JSON": body('{"a":'),
  "body of nothing": body(""),
  "byte order mark": body("\ufeff{}"),
  "invalid UTF-8": body(Buffer.from([0x22, 0xff, 0xfe, 0x22])),
  "empty lists up to 1 MiB": body(`[${"[],".repeat(349_000)}[]]`),
  "open brackets": body("[".repeat(200_000)),
  "2 MiB": body(`"${"a".repeat(2_097_152)}"`),
  "expects to continue": add(["Expect", "100-continue"]),
  "expects something else": add(["Expect", "a-miracle"]),
  "upgrade to a web socket": add(
    ["Connection", "Upgrade"],
    ["Upgrade", "websocket"],
    ["Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="],
  ),
  "upgrade to HTTP/2": add(["Connection", "Upgrade, HTTP2-Settings"], ["Upgrade", "h2c"], ["HTTP2-Settings", "a"]),
  "range of everything": add([
    "Range",
    `bytes=${Array.from({ length: 500 }, (_value, index) => `${index}-`).join(",")}`,
  ]),
  "absolute target": target((path) => `http://evil.example${path}`),
  "double slashes": target((path) => `//${path}`),
  "dots in the target": target((path) => `/a/../..${path}`),
  "broken percent at the end": target((path) => `${path}%`),
  "NUL in the target": target((path) => `${path}%00`),
  "long target": target((path) => `${path}?${"a".repeat(12_000)}`),
  "10,000 parameters": target((path) => `${path}?${"a&".repeat(6_000)}`),
  "unknown path": target(() => "/no/such/thing"),
  "long segment": target(() => `/${"a".repeat(3_000)}`),
  TRACE: (request) => ({ ...request, method: "TRACE" }),
  PUT: (request) => ({ ...request, method: "PUT" }),
  OPTIONS: (request) => ({ ...request, method: "OPTIONS" }),
  QUERY: (request) => ({ ...request, method: "QUERY" }),
  HEAD: (request) => ({ ...request, method: "HEAD", body: undefined }),
};

/** Heads that no HTTP client writes. `PATH` stands for the operation's target. */
const HEADS: Readonly<Record<string, string>> = {
  "HTTP/2 preface": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "HTTP/0.9": "GET PATH\r\n\r\n",
  "no Host": "POST PATH HTTP/1.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
  "unknown method": "BREW PATH HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
  "two lengths": "POST PATH HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na",
  "length and chunks":
    "POST PATH HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "negative length": "POST PATH HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
  "length beyond 2^64": "POST PATH HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999999999999999\r\n\r\n",
  "chunk size beyond 2^64":
    "POST PATH HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffffff\r\n",
  "bad chunk size":
    "POST PATH HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  "header without colon": "GET PATH HTTP/1.1\r\nHost: 127.0.0.1\r\nbroken\r\n\r\n",
  "blank before colon": "GET PATH HTTP/1.1\r\nHost : 127.0.0.1\r\n\r\n",
  "NUL in a header": "GET PATH HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: a\u0000b\r\n\r\n",
  "folded header": "GET PATH HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: a\r\n b\r\n\r\n",
  "bare line feeds": "GET PATH HTTP/1.1\nHost: 127.0.0.1\n\n",
  "raw bytes in the target": "GET PATH\u00ff\u0001 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
  "TLS hello": "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\r\n\r\n",
  garbage: "\u0000\u0001\u0002\u0003\r\n\r\n",
};
// These are answered by a body of another protocol, or none.
const UNANSWERED = new Set(["HTTP/2 preface", "HTTP/0.9"]);

/**
 * Makes the attacks by odd requests on an operation. In: `credential`, the headers of the caller; `isDrawn` says of each attack
 * whether it is made. Refuses: never.
 */
export function wireAttacks(
  operation: Operation,
  credential: Readonly<Record<string, string>>,
  isDrawn: () => boolean,
): readonly WireAttack[] {
  const example = toRequest(operation, exampleParts(operation));
  const request = { ...example, headers: [...example.headers, ...Object.entries(credential)] };
  const changed = Object.entries(CHANGES)
    .filter(isDrawn)
    .map(([name, change]) => ({
      operation,
      name: `${operation.name}: ${name}`,
      bytes: writeRequest(operation.origin, change(request)),
      mayBeUnanswered: false,
    }));
  const heads = Object.entries(HEADS)
    .filter(isDrawn)
    .map(([name, text]) => ({
      operation,
      name: `${operation.name}: ${name}`,
      bytes: Buffer.from(text.replace("PATH", request.target), "latin1"),
      mayBeUnanswered: UNANSWERED.has(name),
    }));
  return [...changed, ...heads];
}
