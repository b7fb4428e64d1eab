import { randomUUID } from "node:crypto";
import { DOMAIN_BY_ONTOLOGY } from "@dataspace/protocol/ontology-domain";
import { encodeWebhookSecret } from "@dataspace/protocol/webhook-secret";
import { openTestDatabase, TEST_SERVER_SETTING, type TestDatabase } from "@dataspace/service-kit/testing/test-database";
import { createTimeOrderedIds } from "@dataspace/service-kit/time-ordered-ids";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { AttemptDeps, MayHearOf } from "../../src/delivery/attempt-delivery.ts";
import { createMayHearOf } from "../../src/delivery/may-hear-of.ts";
import type { SendWebhook } from "../../src/delivery/send-webhook.ts";
import { awarenessMigrations } from "../../src/migrations.ts";
import { createCircuitRows } from "../../src/store/circuit-rows.ts";
import { createDeliverySettling } from "../../src/store/settle-deliveries.ts";
import { createOpenSecret } from "../../src/subscriptions/open-secret.ts";
import { createSecretSeal } from "../../src/subscriptions/secret-seal.ts";
import { SERVICE_SECRET } from "./start-awareness.ts";
import { createTestHearing } from "./test-hearing.ts";

const DAY_MS = 86_400_000;
/** The secret of every subscription of these tests. */
export const SECRET: Uint8Array = new Uint8Array(32).fill(7);
const SEAL = createSecretSeal(SERVICE_SECRET);
const EVERYBODY = JSON.stringify({ acl: ["*"], _acl: null, owner: null });

/** One version of a record on its way to a subscription. */
export interface QueuedEvent {
  readonly subscriptionId: string;
  readonly recordId: string;
  readonly streamVersion: number;
  readonly receivedAtMs: number;
}

/** A database with subscriptions and queued events, and what a delivery needs to work on it. */
export interface DeliveryWorld extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly addConsumer: () => Promise<string>;
  /** In: `consumerId`, one of its own where none is given. */
  readonly addSubscription: (targetUrl?: string, consumerId?: string) => Promise<string>;
  /** Queues an event as ingest does; gives its eventId. */
  readonly queue: (event: QueuedEvent) => Promise<string>;
  readonly depsWith: (parts: {
    readonly clock: Clock;
    readonly send: SendWebhook;
    readonly random?: () => number;
    readonly database?: Database;
    readonly mayHearOf?: MayHearOf;
  }) => AttemptDeps;
  /** Forgets subscriptions and events. */
  readonly empty: () => Promise<void>;
}

/** The owner of every record of these tests. */
const OWNER = "@11111111-1111-4111-8111-111111111111";

/** Opens an empty awareness database. */
export async function openDeliveryWorld(): Promise<DeliveryWorld> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await openTestDatabase(process.env[TEST_SERVER_SETTING], awarenessMigrations));
  const ownConsumerId = await addConsumer(database);
  const owned = stack.move();
  return {
    database,
    addConsumer: () => addConsumer(database),
    addSubscription: (targetUrl = "https://receiver.example/", consumerId = ownConsumerId) =>
      addSubscription(database, consumerId, targetUrl),
    queue: (event) => queue(database, event),
    depsWith: ({ clock, send, random = () => 0, database: used = database, mayHearOf }) => ({
      rows: {
        database: used,
        settling: createDeliverySettling({ database: used, clock }),
        circuits: createCircuitRows(database),
      },
      clock,
      random,
      mayHearOf:
        mayHearOf ??
        createMayHearOf(createTestHearing(database), {
          legacyTokens: "accept",
          domains: DOMAIN_BY_ONTOLOGY,
          clock,
        }),
      webhooks: { newUuid: createTimeOrderedIds(clock), openSecret: createOpenSecret(SEAL), signingKeys: [], send },
    }),
    empty: async () => {
      // One by one: for a few rows that is much quicker than `truncate`.
      for (const table of [
        "attempt",
        "delivery",
        "lane",
        "event",
        "stream_head",
        "subscription_secret",
        "subscription",
      ]) {
        await database.query({ text: `delete from ${table}`, values: [] });
      }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function addConsumer(database: TestDatabase): Promise<string> {
  const id = randomUUID();
  await database.query({
    text: "insert into consumer (id, name, created_at) values ($1, 'test', now())",
    values: [id],
  });
  return id;
}

async function addSubscription(database: TestDatabase, consumerId: string, targetUrl: string): Promise<string> {
  const id = randomUUID();
  await database.query({
    text: `insert into subscription (id, consumer_id, target_url, ontology_filter, vault_filter, created_at)
           values ($1, $2, $3, '{}', '{}', now())`,
    values: [id, consumerId, targetUrl],
  });
  await database.query({
    text: "insert into subscription_secret (subscription_id, sealed, added_at) values ($1, $2, now())",
    values: [id, SEAL.seal(id, encodeWebhookSecret(SECRET))],
  });
  return id;
}

async function queue(database: TestDatabase, event: QueuedEvent): Promise<string> {
  const eventId = randomUUID();
  const receivedAt = new Date(event.receivedAtMs);
  const body = JSON.stringify({ eventId, id: event.recordId, streamVersion: event.streamVersion });
  await database.transaction(async (transaction) => {
    const { rows } = await transaction.query<{ readonly event_id: string }>({
      text: `insert into event (event_id, dsid, record_id, stream_version, schema_id, operation, body, policy, occurred_at, received_at)
             values ($1, $2, $3, $4, 'schema', 'update', $5, $7, $6, $6)
             on conflict (dsid, record_id, stream_version) do update set dsid = event.dsid returning event_id`,
      values: [eventId, OWNER, event.recordId, event.streamVersion, body, receivedAt, EVERYBODY],
    });
    await transaction.query({
      text: `insert into stream_head (dsid, record_id, last_version, policy) values ($1, $2, $3, $4)
             on conflict (dsid, record_id) do update set last_version = excluded.last_version`,
      values: [OWNER, event.recordId, event.streamVersion, EVERYBODY],
    });
    await transaction.query({
      text: `insert into delivery (subscription_id, dsid, record_id, stream_version, event_id, deadline)
             values ($1, $2, $3, $4, $5, $6)`,
      values: [
        event.subscriptionId,
        OWNER,
        event.recordId,
        event.streamVersion,
        rows[0]!.event_id,
        new Date(event.receivedAtMs + DAY_MS),
      ],
    });
    await transaction.query({
      text: `insert into lane (subscription_id, dsid, record_id, tail_version, next_at) values ($1, $2, $3, $4, $5)
             on conflict (subscription_id, dsid, record_id) do update
                set tail_version = greatest(lane.tail_version, excluded.tail_version),
                    next_at = coalesce(lane.next_at, excluded.next_at)`,
      values: [event.subscriptionId, OWNER, event.recordId, event.streamVersion, receivedAt],
    });
  });
  return eventId;
}
