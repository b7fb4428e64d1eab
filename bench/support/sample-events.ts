import { randomUUID } from "node:crypto";
import { systemClock } from "@dataspace/service-kit/clock";
import { createTimeOrderedIds } from "@dataspace/service-kit/time-ordered-ids";
import { SAMPLE_ONTOLOGIES, sampleInput } from "./sample-records.ts";

/** Events of many records in turn, each record's versions rising by one. */
export interface EventSource {
  /** The next event as a vault hands it over, as JSON text. All characters are ASCII. */
  readonly next: () => string;
}

const OWNERS = Array.from({ length: 100 }, () => `@${randomUUID()}`);
const POLICY = { acl: ["*"], _acl: null, owner: null };

/**
 * Starts a source of so many new records of a hundred owners, readable by everybody, whose data is a sample of about 250 bytes. Ids
 * are made as a vault makes them.
 */
export function createEventSource(records: number): EventSource {
  const newUuid = createTimeOrderedIds(systemClock);
  const ids = Array.from({ length: records }, newUuid);
  let made = 0;
  return {
    next: () => {
      const number = made++;
      const place = number % records;
      const streamVersion = 1 + Math.floor(number / records);
      const body = JSON.stringify({
        eventId: newUuid(),
        id: ids[place],
        dsid: OWNERS[place % OWNERS.length],
        schemaId: SAMPLE_ONTOLOGIES[place % 2],
        data: sampleInput(number).payload,
        vaultPublicKey: null,
        operation: streamVersion === 1 ? "create" : "update",
        streamVersion,
        occurredAt: new Date().toISOString(),
      });
      return JSON.stringify({ body, requestingPlatform: null, policy: POLICY });
    },
  };
}
