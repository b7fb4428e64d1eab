import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { createMemoryLoginStore } from "./memory-login-store.ts";
import { nodeWalletLogin } from "./node-http.ts";
import { createWalletLogin } from "./wallet-login.ts";
import { createWalletLoginDoor } from "./wallet-login-door.ts";

async function startPlatform(t: TestContext): Promise<number> {
  const login = createWalletLogin(
    { store: createMemoryLoginStore({ clock: { nowMs: () => 1 } }), check: async () => ({ failure: "bad_signature" }) },
    { name: "Notes", publicUrl: () => "http://127.0.0.1" },
  );
  const serve = nodeWalletLogin(createWalletLoginDoor(login));
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function head(lengthBytes: number, more = ""): string {
  return `POST /api/auth HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${lengthBytes}\r\n${more}\r\n`;
}

for (const sizeBytes of [20_000, 500_000]) {
  test(`a body of ${sizeBytes} bytes is answered 413, and the connection serves on [decision V2]`, async (t) => {
    const socket = connect(await startPlatform(t), "127.0.0.1");
    socket.write(head(sizeBytes));
    socket.write("x".repeat(sizeBytes));
    socket.end(`${head(2, "Connection: close\r\n")}{}`);
    const answers = await text(socket);
    assert.match(answers, /^HTTP\/1\.1 413 [\s\S]*PAYLOAD_TOO_LARGE[\s\S]*HTTP\/1\.1 400 [\s\S]*BAD_REQUEST/);
  });
}

test("a body without end is cut off", { timeout: 20_000 }, async (t) => {
  const socket = connect(await startPlatform(t), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(head(1_000_000_000));
  const sending = setInterval(() => socket.write("x".repeat(262_144)), 5);
  t.after(() => clearInterval(sending));
  await new Promise((resolve) => socket.once("close", resolve));
  assert.ok(socket.bytesWritten < 50_000_000);
});
