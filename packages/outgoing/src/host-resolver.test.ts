import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { createGuardedPost } from "./guarded-post.ts";
import { createHostResolver } from "./host-resolver.ts";
import { readOutgoingAllow } from "./outgoing-allow.ts";

const HEADER_BYTES = 12;
const A_RECORD = 1;

interface NameServer {
  readonly address: string;
  /** The requested names, of A and AAAA queries alike. */
  readonly asked: string[];
}

/** A name server that knows the addresses (IPv4) of some names, and never answers for any other. */
async function startNameServer(t: TestContext, addresses: Readonly<Record<string, string>> = {}): Promise<NameServer> {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (query, { port, address }) => {
    const { name, end } = readName(query);
    asked.push(name);
    const found = addresses[name];
    if (found === undefined) return;
    const isA = query.readUInt16BE(end) === A_RECORD;
    const head = Buffer.from(query.subarray(0, HEADER_BYTES));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(isA ? 1 : 0, 6);
    head.fill(0, 8);
    const record = Buffer.concat([
      Buffer.from("c00c0001000100000e100004", "hex"),
      Buffer.from(found.split(".").map(Number)),
    ]);
    socket.send(Buffer.concat([head, query.subarray(HEADER_BYTES, end + 4), ...(isA ? [record] : [])]), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  t.after(() => socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}

function readName(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 1 };
}

async function startHook(t: TestContext): Promise<number> {
  const server = createServer((request, response) => request.resume().on("end", () => response.end()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

test("twelve names whose name server never answers delay no request to another name, nor the machine's own lookups [decision V25]", async (t) => {
  const dns = await startNameServer(t, { "good.example": "127.0.0.1" });
  const reading = readOutgoingAllow("127.0.0.0/8");
  assert.ok("value" in reading);
  const resolveHost = createHostResolver({ servers: [dns.address] });
  const guarded = createGuardedPost({ resolveHost }, { allow: reading.value });
  t.after(() => guarded[Symbol.asyncDispose]());
  const port = await startHook(t);
  const request = (requester: string, host: string) =>
    guarded.post({ requester, url: `http://${host}:${port}/`, headers: {}, body: "{}", keepBytes: 100 });
  let silent = 12;
  const hanging = Array.from({ length: silent }, (_, place) =>
    assert.rejects(request("hostile", `silent-${place}.example`), { name: "OutgoingError" }).finally(() => {
      silent -= 1;
    }),
  );
  const answer = await request("other", "good.example");
  assert.deepEqual([answer.status, silent], [200, 12], "answered while all twelve still wait");
  await Promise.all(hanging);
});

test("a lookup that nobody answers ends before the 5 s of its request, and is not asked again for 5 s [decision E6]", async (t) => {
  const dns = await startNameServer(t);
  const resolveHost = createHostResolver({ servers: [dns.address] });
  await assert.rejects(resolveHost("silent.example"));
  const questions = dns.asked.length;
  assert.ok(questions >= 2);
  await assert.rejects(resolveHost("silent.example"));
  assert.equal(dns.asked.length, questions);
});

test("one requester has sixteen lookups under way, and the places of others are their own [decision V25]", async (t) => {
  const dns = await startNameServer(t, { "good.example": "127.0.0.1" });
  const resolveHost = createHostResolver({ servers: [dns.address] });
  const hanging = Array.from({ length: 20 }, (_, place) =>
    assert.rejects(resolveHost(`silent-${place}.example`, "hostile")),
  );
  assert.deepEqual(await resolveHost("good.example", "other"), ["127.0.0.1"]);
  assert.equal(new Set(dns.asked.filter((name) => name.startsWith("silent"))).size, 16);
  await Promise.all(hanging);
});

test("the hosts file and localhost come before any name server, and many who ask for one name ask once [decision E6]", async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), "ds-hosts-"));
  t.after(() => rm(directory, { recursive: true }));
  const hostsPath = path.join(directory, "hosts");
  await writeFile(hostsPath, "# a comment\n10.0.0.7\tVault.internal  vault # here\nfd00::7 vault.internal\n");
  const dns = await startNameServer(t, { "good.example": "93.184.215.14" });
  const resolveHost = createHostResolver({ servers: [dns.address], hostsPath });
  assert.deepEqual(await resolveHost("VAULT.internal"), ["10.0.0.7", "fd00::7"]);
  assert.deepEqual(await resolveHost("vault"), ["10.0.0.7"]);
  assert.deepEqual(await resolveHost("localhost."), ["127.0.0.1", "::1"]);
  assert.deepEqual(dns.asked, []);
  const answers = await Promise.all(Array.from({ length: 50 }, () => resolveHost("good.example")));
  assert.deepEqual(answers[49], ["93.184.215.14"]);
  assert.deepEqual(dns.asked, ["good.example", "good.example"], "one question for each family of addresses");
});
