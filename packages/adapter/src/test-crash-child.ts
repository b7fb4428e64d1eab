// A platform that is killed at one of its steps. Its vaults are in the process that started it.

import type { WebhookEvent } from "@dataspace/receiver/webhook-event";
import { receiveEvent } from "./inbound/webhook.ts";
import type { OwnerVault, Vaults } from "./sync/vaults.ts";
import { ADA, startTestPlatform } from "./test-platform.ts";

/** What the child is asked: to send the row of a database, or to apply an event, and at which of its steps to be killed. */
export interface CrashOrder {
  readonly path: string;
  readonly event: WebhookEvent | undefined;
  readonly killAt: number;
}

/** A call of a vault, and its answer. */
export interface RemoteCall {
  readonly number: number;
  readonly owner: string;
  readonly method: keyof OwnerVault;
  readonly args: readonly unknown[];
}

const waiting = new Map<number, (result: unknown) => void>();
let calls = 0;

function remoteVaults(): Vaults {
  const remote =
    (owner: string, method: keyof OwnerVault) =>
    (...args: unknown[]) =>
      new Promise<never>((resolve) => {
        calls += 1;
        waiting.set(calls, resolve as (result: unknown) => void);
        process.send?.({ number: calls, owner, method, args } satisfies RemoteCall);
      });
  return {
    vault: (owner) => {
      const [create, update, get, remove, uploadFile] = (
        ["create", "update", "get", "remove", "uploadFile"] as const
      ).map((method) => remote(owner, method)) as [never, never, never, never, never];
      return {
        create,
        update,
        get,
        remove,
        uploadFile,
        list: async function* () {},
        createMany: async function* () {},
      };
    },
  };
}

async function run({ path, event, killAt }: CrashOrder): Promise<void> {
  let step = 0;
  let counts = false;
  const atStep = (): void => {
    if (!counts) return;
    step += 1;
    if (step === killAt) process.kill(process.pid, "SIGKILL");
  };
  const platform = await startTestPlatform("a", { as: remoteVaults, eventsFor: () => [] }, { path, atStep });
  counts = true;
  if (event !== undefined) await receiveEvent(platform.adapter.sync, event);
  else await platform.adapter.handleChange({ data: { id: "p1" }, tableName: "posts", participants: [ADA] });
  await platform.settle();
  process.send?.({ steps: step });
  process.exit(0);
}

process.on("message", (message: CrashOrder | { readonly number: number; readonly result: unknown }) => {
  if ("path" in message) void run(message);
  else waiting.get(message.number)?.(message.result);
});
