import assert from "node:assert/strict";
import { test } from "node:test";
import { findGuardedTarget } from "./guarded-target.ts";
import { readOutgoingAllow } from "./outgoing-allow.ts";

const NAMES: Readonly<Record<string, readonly string[]>> = {
  "public.example": ["93.184.215.14", "2606:2800:21f:cb07::1"],
  "inside.example": ["10.1.2.3"],
  "both.example": ["10.1.2.3", "93.184.215.14"],
  "two.example": ["10.1.2.3", "::1"],
};

async function addressesOf(url: string, allowed = ""): Promise<readonly string[] | string> {
  const allow = readOutgoingAllow(allowed);
  assert.ok("value" in allow, allowed);
  const resolveHost = async (name: string) => NAMES[name] ?? [];
  return findGuardedTarget(url, { resolveHost }, allow.value).then(
    ({ addresses }) => addresses,
    ({ code }) => code,
  );
}

test("a public host is asked over https on port 443, also as a literal address [decision E6]", async () => {
  assert.deepEqual(await addressesOf("https://public.example/whois"), NAMES["public.example"]);
  assert.deepEqual(await addressesOf("https://public.example:443/"), NAMES["public.example"]);
  assert.deepEqual(await addressesOf("https://93.184.215.14/"), ["93.184.215.14"]);
  assert.deepEqual(await addressesOf("https://[2606:2800:21f:cb07::1]/"), ["2606:2800:21f:cb07::1"]);
});

for (const [url, allowed, expected] of [
  ["http://inside.example:4000/", "inside.example:4000", ["10.1.2.3"]],
  ["http://INSIDE.example:4000/", "Inside.Example:4000", ["10.1.2.3"]],
  ["http://inside.example/", "inside.example:80", ["10.1.2.3"]],
  ["https://inside.example/", "inside.example:443", ["10.1.2.3"]],
  ["https://inside.example/", "inside.example:80", "forbidden_target"],
  ["http://inside.example:4001/", "inside.example:4000", "forbidden_target"],
  ["http://x.inside.example:4000/", "inside.example:4000", "forbidden_target"],
  ["http://10.1.2.3:4000/", "inside.example:4000", "forbidden_target"],
  ["http://[::1]:4000/", "[::1]:4000", ["::1"]],
  ["http://[::1]:4000/", "[0:0::1]:4000", ["::1"]],
  ["http://127.1:4000/", "127.0.0.1:4000", ["127.0.0.1"]],
  ["http://both.example:4000/", "both.example:4000", ["10.1.2.3", "93.184.215.14"]],
  ["http://inside.example:4000/", "10.0.0.0/8", ["10.1.2.3"]],
  ["http://10.255.0.1/", "10.0.0.0/8", ["10.255.0.1"]],
  ["http://[::ffff:10.1.2.3]/", "10.0.0.0/8", ["10.1.2.3"]],
  ["http://11.0.0.1/", "10.0.0.0/8", "forbidden_target"],
  ["https://both.example/", "10.0.0.0/8", "forbidden_target"],
  ["https://two.example/", "10.0.0.0/8", "forbidden_target"],
  ["http://two.example:4000/", " 10.0.0.0/8 , ::1/128,", ["10.1.2.3", "::1"]],
  ["http://public.example/", "10.0.0.0/8", "forbidden_target"],
  ["https://user@inside.example:4000/", "inside.example:4000", "forbidden_target"],
  ["ftp://inside.example:4000/", "inside.example:4000,10.0.0.0/8", "forbidden_target"],
] as const) {
  test(`with DS_OUTGOING_ALLOW=${allowed} ${url} is ${Array.isArray(expected) ? "asked" : "not asked"} [V-EVT-228]`, async () => {
    assert.deepEqual(await addressesOf(url, allowed), expected);
  });
}

test("an entry that is neither host:port nor a range is a fault that shows it", () => {
  for (const entry of [
    ...["vault.example", "https://vault.example:443", "vault.example:0", "vault.example:65536", "vault.example:x"],
    ...["user@vault.example:443", "vault.example:443/x", ":443", "::1", "::1:443", "a b:443"],
    ...["10.0.0.0", "10.0.0.0/33", "10.0.0/8", "0x0a.0.0.0/8", "fc00::/129", "::ffff:10.0.0.0/104", "*"],
  ]) {
    const reading = readOutgoingAllow(`127.0.0.1:4000,${entry}`);
    assert.ok("fault" in reading, entry);
    assert.ok(reading.fault.includes(JSON.stringify(entry)), reading.fault);
  }
});
