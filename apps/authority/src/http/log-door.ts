import { consistencyRanges, inclusionRanges, type Range } from "@dataspace/platform-auth/log/merkle-ranges";
import { encodeBase64Url } from "@dataspace/protocol/base64url";
import { type JwsSigner, writeCompactJws } from "@dataspace/protocol/write-compact-jws";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { countEntries, hashRanges, listEntries } from "../store/log-rows.ts";
import { listSignedReviews } from "../store/signed-review-rows.ts";
import { readNumber } from "./read-input.ts";
import { createReuseSigned } from "./reuse-signed.ts";
import type { FastifyInstance } from "fastify";

/** The `typ` of a signed checkpoint. */
const CHECKPOINT_TYP = "ds-log-checkpoint+jwt";
const MOST_LISTED = 1_000;
/** A review is up to 8 KB. */
const MOST_REVIEWS = 100;

/** What the door to the log works with. `signer` signs checkpoints. */
export interface LogDoorDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly signer: JwsSigner;
}

/**
 * Mounts the append-only log of certificates and revocations: a signed checkpoint, the entries, what
 * reviewers signed under them, and the proofs that an entry is in the
 * log and that the log only grew. Hashes are in base64url. Source: RFC 9162 section 2.1; decision A1.
 */
export function mountLog(
  app: FastifyInstance,
  { database, clock, signer }: LogDoorDeps,
  { issuer }: { readonly issuer: string },
): void {
  const reuse = createReuseSigned<object>(clock);
  const prove = async (ranges: readonly Range[]) => (await hashRanges(database, ranges)).map(encodeBase64Url);
  app.get("/log/checkpoint", async () => {
    const size = await countEntries(database);
    return reuse("checkpoint", String(size), async () => {
      const [root] = await prove([{ from: 0, to: size }]);
      const claims = { iss: issuer, iat: Math.floor(clock.nowMs() / 1000), size, root };
      return { size, root, checkpoint: await writeCompactJws(signer, CHECKPOINT_TYP, claims) };
    });
  });
  app.get<{ Querystring: Record<string, unknown> }>("/log/entries", async ({ query }) => {
    const from = readNumber(query["from"], { name: "from", min: 0, max: Number.MAX_SAFE_INTEGER, absent: 0 });
    const limit = readNumber(query["limit"], { name: "limit", min: 1, max: MOST_LISTED, absent: 100 });
    return { from, entries: await listEntries(database, { from, limit }) };
  });
  app.get<{ Querystring: Record<string, unknown> }>("/log/reviews", async ({ query }) => {
    const from = readNumber(query["from"], { name: "from", min: 0, max: Number.MAX_SAFE_INTEGER, absent: 0 });
    const limit = readNumber(query["limit"], { name: "limit", min: 1, max: MOST_REVIEWS, absent: MOST_REVIEWS });
    const at = new Date(clock.nowMs()).toISOString();
    return { from, reviews: await listSignedReviews(database, { from, limit, at }) };
  });
  app.get<{ Querystring: Record<string, unknown> }>("/log/proof", async ({ query }) => {
    const known = await countEntries(database);
    const size = readNumber(query["size"], { name: "size", min: 1, max: known, absent: known });
    const leaf = readNumber(query["leaf"], { name: "leaf", min: 0, max: size - 1 });
    return { leaf, size, path: await prove(inclusionRanges(leaf, size)) };
  });
  app.get<{ Querystring: Record<string, unknown> }>("/log/consistency", async ({ query }) => {
    const known = await countEntries(database);
    const size = readNumber(query["size"], { name: "size", min: 1, max: known, absent: known });
    const earlier = readNumber(query["earlier"], { name: "earlier", min: 1, max: size });
    return { earlier, size, path: await prove(consistencyRanges(earlier, size)) };
  });
}
