import { presentedBearer } from "@dataspace/service-kit/http/bearer-secret";
import { isTextOf, type Secret } from "@dataspace/service-kit/secret";
import type { EName } from "@dataspace/protocol/ename";
import { awarenessRefusal } from "../errors.ts";
import type { IngestedEvent, IngestResult, RejectionCode } from "../events/ingested-event.ts";
import { erasureBody } from "../events/read-erasure.ts";
import { readEvents } from "../events/read-events.ts";
import type { Ingest } from "../ingest/ingest.ts";
import type { CheckOwners } from "../ingest/owner-check.ts";
import { ingestTraced } from "../ingest/trace-ingest.ts";
import { readInput } from "../read-input.ts";
import type { EventsToErase } from "../store/erase-events.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Larger than the largest event that a vault can write, so that no record blocks its stream (decision E8). */
const BODY_LIMIT_BYTES = 4 * 1_048_576;
/** More than 100 events with the largest policies need, so that no record can block its stream (decision E8). */
const BODY_VALUES = 200_000;

/** Erases stored events. Out: how many. */
export type Erase = (erasure: EventsToErase) => Promise<number>;

/** A vault service's origin; null for a single one, which is not checked. */
type VaultOrigin = string | null;

/**
 * The credentials of vault services: one for a single service, or one for each of several by its origin. Source:
 * decision E5.
 */
export interface IngestConfig {
  readonly ingestSecret: Secret | undefined;
  readonly ingestSecrets?: ReadonlyMap<string, Secret> | undefined;
}

/**
 * Serves `POST /ingest` to vaults: one event, or a list, each with its result. It answers after they are stored.
 *
 * `POST /ingest/erasures` erases the data of an owner's events, which stay as removals.
 *
 * With several vault services, an event of an owner whose vault is another service's is rejected. The registry is asked
 * before any transaction. Out: 200, or 409 when one of them is a conflict; the others are stored all the same.
 * Refuses: UNAUTHENTICATED, INVALID_EVENT, PAYLOAD_TOO_LARGE, NOT_YOUR_OWNER; 503 while the storage does not answer.
 * Source: S1 "Events"; decisions E5, E8, P9, V18.
 */
export function mountIngest(
  app: FastifyInstance,
  deps: { readonly ingest: Ingest; readonly checkOwners: CheckOwners; readonly erase: Erase },
  config: IngestConfig,
): void {
  const origins = new WeakMap<FastifyRequest, VaultOrigin>();
  const secrets = listSecrets(config);
  app.register((guarded, _options, done) => {
    guarded.addHook("onRequest", async (request, reply) => {
      origins.set(request, findVault(request, reply, secrets));
      request.maxBodyBytes = BODY_LIMIT_BYTES;
      request.baseBodyValues = BODY_VALUES;
    });
    guarded.post("/ingest", async (request, reply) => {
      const events = readEvents(request.body);
      const vault = origins.get(request) ?? null;
      const owners = events.map(({ dsid }) => dsid);
      const rejected = vault === null ? undefined : await deps.checkOwners(vault, owners);
      const admitted = events.filter(({ dsid }) => !rejected?.has(dsid));
      const stored = await ingestTraced(request.trace?.tracer, deps.ingest, admitted);
      const results = mergeResults(events, stored, rejected);
      return reply.code(results.some(({ status }) => status === "conflict") ? 409 : 200).send({ results });
    });
    guarded.post("/ingest/erasures", async (request) => {
      const erasure = readInput(erasureBody, request.body);
      const vault = origins.get(request) ?? null;
      const rejected = vault === null ? undefined : (await deps.checkOwners(vault, [erasure.dsid])).get(erasure.dsid);
      if (rejected === "NOT_YOUR_OWNER") throw notYours(erasure.dsid);
      if (rejected !== undefined)
        throw awarenessRefusal("REGISTRY_UNAVAILABLE", "The registry does not answer; try again.");
      return { erased: await deps.erase(erasure) };
    });
    done();
  });
}

function notYours(dsid: EName): Error {
  return awarenessRefusal("NOT_YOUR_OWNER", `The registry has the vault of ${dsid} at another address.`, "dsid");
}

function listSecrets({ ingestSecret, ingestSecrets }: IngestConfig): readonly (readonly [VaultOrigin, Secret])[] {
  if (ingestSecrets !== undefined) return [...ingestSecrets];
  return ingestSecret === undefined ? [] : [[null, ingestSecret]];
}

function findVault(
  request: FastifyRequest,
  reply: FastifyReply,
  secrets: readonly (readonly [VaultOrigin, Secret])[],
): VaultOrigin {
  const presented = presentedBearer(request);
  const found = secrets.find(([, secret]) => presented !== undefined && isTextOf(secret, presented));
  if (found !== undefined) return found[0];
  reply.header("www-authenticate", "Bearer");
  throw awarenessRefusal("UNAUTHENTICATED", "Send DS_INGEST_SECRET as Authorization: Bearer <secret>.");
}

function mergeResults(
  events: readonly IngestedEvent[],
  stored: readonly IngestResult[],
  rejected: ReadonlyMap<string, RejectionCode> | undefined,
): readonly IngestResult[] {
  const left = stored.values();
  return events.map(({ eventId, dsid }) => {
    const code = rejected?.get(dsid);
    return code === undefined ? (left.next().value as IngestResult) : { eventId, status: "rejected", code };
  });
}
