import { randomUUID } from "node:crypto";
import type { WebhookEvent } from "@dataspace/receiver/webhook-event";
import type { OwnerVault, VaultRecord, Vaults } from "./sync/vaults.ts";

interface StoredRecord {
  readonly id: string;
  readonly ontology: string;
  parsed: Record<string, unknown>;
  version: number;
  removed: boolean;
}

/** Vaults in memory, which answer as real ones do: idempotent creations, patches, versions, and an event for every write. */
export interface TestVaults {
  /** The vaults as one platform sees them. */
  readonly as: (platform: string) => Vaults;
  /** The events that a platform receives: of everybody's writes but its own. */
  readonly eventsFor: (platform: string) => readonly WebhookEvent[];
  readonly records: (owner: string) => readonly StoredRecord[];
  /** Writes that reached a vault, those that were repeated under a key left out. */
  readonly writes: () => number;
  /** Fails the next calls, one error for each; `after` lets the write happen first, as when an answer is lost. */
  readonly failNext: (...errors: readonly { readonly error: Error; readonly after?: true }[]) => void;
}

/** A refusal as the vault client throws it. */
export function refusal(code: string, status: number): Error {
  return Object.assign(new Error(`refused: ${code}`), { code, status });
}

/** Makes vaults for everybody. Refuses: never. */
export function createTestVaults(): TestVaults {
  const owners = new Map<string, Map<string, StoredRecord>>();
  const answers = new Map<string, unknown>();
  const events: { readonly platform: string; readonly event: WebhookEvent }[] = [];
  const failures: { readonly error: Error; readonly after?: true }[] = [];
  const recordsOf = (owner: string) => {
    const records = owners.get(owner) ?? new Map<string, StoredRecord>();
    owners.set(owner, records);
    return records;
  };
  const call = async <T>(act: () => T): Promise<T> => {
    await Promise.resolve();
    const failure = failures.shift();
    if (failure !== undefined && !failure.after) throw failure.error;
    const result = structuredClone(act());
    if (failure !== undefined) throw failure.error;
    return result;
  };
  const tell = (platform: string, owner: string, record: StoredRecord): StoredRecord => {
    const operation = record.removed ? "delete" : record.version === 1 ? "create" : "update";
    const { id, ontology, parsed, version } = record;
    const event: WebhookEvent = {
      ...{ eventId: randomUUID(), id, dsid: owner, schemaId: ontology, operation, streamVersion: version },
      ...{
        data: structuredClone(record.removed ? {} : parsed),
        vaultPublicKey: null,
        occurredAt: new Date(0).toISOString(),
      },
    };
    events.push({ platform, event });
    return record;
  };
  const find = (owner: string, id: string): StoredRecord => {
    const record = recordsOf(owner).get(id);
    if (record === undefined || record.removed) throw refusal("NOT_FOUND", 404);
    return record;
  };
  return {
    as: (platform) => ({
      vault: (owner) =>
        openVault({
          owner,
          answers,
          call,
          find: (id) => find(owner, id),
          records: recordsOf(owner),
          tell: (record) => tell(platform, owner, record),
        }),
    }),
    eventsFor: (platform) => events.filter((sent) => sent.platform !== platform).map(({ event }) => event),
    records: (owner) => [...recordsOf(owner).values()],
    writes: () => events.length,
    failNext: (...errors) => void failures.push(...errors),
  };
}

interface Opened {
  readonly owner: string;
  readonly answers: Map<string, unknown>;
  readonly records: Map<string, StoredRecord>;
  readonly call: <T>(act: () => T) => Promise<T>;
  readonly find: (id: string) => StoredRecord;
  readonly tell: (record: StoredRecord) => StoredRecord;
}

function openVault({ owner, answers, records, call, find, tell }: Opened): OwnerVault {
  return {
    create: ({ ontology, payload }, { idempotencyKey }) =>
      call(() => {
        const key = `${owner} ${idempotencyKey}`;
        const record = { id: randomUUID(), ontology, parsed: structuredClone(payload), version: 1, removed: false };
        const answer = answers.get(key) ?? tell(record);
        if (!answers.has(key)) records.set(record.id, record);
        answers.set(key, answer);
        return answer as VaultRecord;
      }),
    async *createMany(inputs) {
      const outcomes = await call(() =>
        inputs.map(({ id, ontology, payload }, index) => {
          if (records.has(id)) return { index, success: false, code: "ID_EXISTS", message: "taken" };
          if (payload["content"] === "refused") return { index, success: false, code: "FORBIDDEN", message: "refused" };
          const record = { id, ontology, parsed: structuredClone(payload), version: 1, removed: false };
          records.set(id, tell(record));
          return { index, success: true, code: undefined, message: undefined };
        }),
      );
      yield* outcomes;
    },
    update: (id, { payload }) =>
      call(() => {
        const record = find(id);
        record.parsed = { ...record.parsed, ...structuredClone(payload) };
        record.version += 1;
        return tell(record);
      }),
    get: (id) =>
      call(() => {
        const record = records.get(id);
        return record === undefined || record.removed ? null : record;
      }),
    async *list({ ontologyId }) {
      yield* [...records.values()].filter(({ ontology, removed }) => ontology === ontologyId && !removed).reverse();
    },
    remove: (id) =>
      call(() => {
        const record = find(id);
        record.removed = true;
        record.version += 1;
        tell(record);
      }),
    uploadFile: ({ filename, content }) =>
      call(() => {
        const publicUrl = `https://blobs.example/${randomUUID()}/${filename}`;
        const record = {
          id: randomUUID(),
          ontology: "ds-file-v1",
          parsed: { publicUrl, size: content.length },
          version: 1,
          removed: false,
        };
        records.set(record.id, record);
        return { uri: `ds://file?id=${owner}/${record.id}`, publicUrl };
      }),
  };
}
