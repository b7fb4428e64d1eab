import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { Webhook } from "standardwebhooks";

/** A server of a README that is starting: its port, the process it is, and the eName of a person whose vault runs. */
export interface StartingServer {
  readonly port: number;
  readonly child: { readonly exitCode: number | null };
  readonly owner: string;
}

/** The secret with which events are signed. */
export const SECRET: string = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** Sends one signed event. Refuses: AssertionError unless it is applied. */
export async function checkWebhook(server: StartingServer): Promise<void> {
  const event = {
    eventId: crypto.randomUUID(),
    id: "record-1",
    dsid: "@e4d909c2-5d2f-4a7d-9473-b34b6c0f1a5a",
    schemaId: "550e8400-e29b-41d4-a716-446655440001",
    data: { content: "grüße" },
    vaultPublicKey: "zDnaerx9CtbPJ1q36T5Ln5wYt3MQYeGRG5ehnPAmxcf5mDZpv",
    operation: "update",
    streamVersion: 1,
    occurredAt: "2026-11-22T00:00:00.000Z",
  };
  const body = JSON.stringify(event);
  const at = new Date();
  const headers = {
    "content-type": "application/json",
    "webhook-id": event.eventId,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(SECRET).sign(event.eventId, at, body),
  };
  const answer = await askWhenListening(server, "/api/webhook", { method: "POST", headers, body });
  assert.deepEqual(await answer.json(), { status: "applied" });
}

/**
 * Opens a login, and answers it with a signature of nobody. The refusal says that the registry and the person's vault were
 * asked: without their answers it would be KEYS_UNAVAILABLE.
 *
 * Refuses: AssertionError without a link to the wallet, or for another refusal.
 */
export async function checkLogin(server: StartingServer): Promise<void> {
  const page = await (await askWhenListening(server, "/", {})).text();
  const [, link = ""] = /<a href="(ds:\/\/auth\?[^"]+)">/.exec(page) ?? assert.fail(page);
  const session = new URL(link.replaceAll("&amp;", "&")).searchParams.get("session");
  const signature = Buffer.alloc(64, 1).toString("base64");
  const answer = await askWhenListening(server, "/api/auth", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ename: server.owner, session, signature }),
  });
  const { error } = (await answer.json()) as { readonly error?: { readonly code: string } };
  assert.deepEqual([answer.status, error?.code], [401, "INVALID_SIGNATURE"]);
}

async function askWhenListening({ port, child }: StartingServer, path: string, init: RequestInit): Promise<Response> {
  for (let triesLeft = 400; ; triesLeft--) {
    try {
      return await fetch(`http://localhost:${port}${path}`, init);
    } catch (error) {
      if (triesLeft === 0 || child.exitCode !== null) throw error;
      await delay(25);
    }
  }
}
