import assert from "node:assert/strict";
import { test } from "node:test";
import { readOutgoingAllow } from "@dataspace/outgoing/outgoing-allow";
import { createCheckTarget } from "./check-target.ts";

const addresses: Readonly<Record<string, readonly string[]>> = {
  "hooks.example.org": ["93.184.215.14"],
  "six.example.org": ["2606:4700::1111"],
  "inner.example.org": ["10.0.0.7"],
  "both.example.org": ["93.184.215.14", "127.0.0.1"],
  "listed.example.org": ["10.0.0.8"],
  localhost: ["127.0.0.1"],
};

async function codeOf(targetUrl: string, allowed = ""): Promise<string> {
  const reading = readOutgoingAllow(allowed);
  assert.ok("value" in reading);
  const check = createCheckTarget(
    { resolveHost: async (host) => addresses[host] ?? [] },
    { outgoingAllow: reading.value },
  );
  try {
    await check(targetUrl, "test");
    return "taken";
  } catch (error) {
    return (error as { code: string }).code;
  }
}

test("a public https address on port 443 under a host name is a target [decision E6]", async () => {
  for (const target of [
    "https://hooks.example.org/in?a=1",
    "https://hooks.example.org:443",
    "https://six.example.org/",
  ]) {
    assert.equal(await codeOf(target), "taken", target);
  }
});

test("any other address is refused: scheme, port, user name, fragment, literal, or a host with a special address [V-EVT-221] [V-EVT-222]", async () => {
  for (const target of [
    ...["http://hooks.example.org/", "https://hooks.example.org:8443/", "https://user@hooks.example.org/"],
    ...["https://user:word@hooks.example.org/", "https://hooks.example.org/#part", "ftp://hooks.example.org/"],
    ...["https://inner.example.org/", "https://both.example.org/", "https://localhost/", "https://listed.example.org/"],
    ...["https://127.0.0.1/", "https://127.1/", "https://0x7f000001/", "https://2130706433/", "https://017700000001/"],
    ...["https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://169.254.169.254/", "https://[64:ff9b::7f00:1]/"],
    ...["https://93.184.215.14/", "https://[2606:4700::1111]/", "nonsense", "https://"],
    `https://hooks.example.org/${"a".repeat(2048)}`,
  ]) {
    assert.equal(await codeOf(target), "INVALID_TARGET", target);
  }
});

test("what the operator lists is a target in spite of these rules, and nothing beside it [V-EVT-228]", async () => {
  const allowed = "listed.example.org:8443,10.9.0.0/16,93.184.215.14:443";
  const taken = ["https://listed.example.org:8443/", "http://listed.example.org:8443/", "http://10.9.1.1:3000/hook"];
  for (const target of [...taken, "https://10.9.1.1/", "https://93.184.215.14/"]) {
    assert.equal(await codeOf(target, allowed), "taken", target);
  }
  for (const target of ["https://listed.example.org/", "http://10.8.1.1:3000/", "https://inner.example.org/"]) {
    assert.equal(await codeOf(target, allowed), "INVALID_TARGET", target);
  }
});

test("a host without an address cannot answer [decision E9]", async () => {
  assert.equal(await codeOf("https://nowhere.example.org/"), "TARGET_UNVERIFIED");
});
