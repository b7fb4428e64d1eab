import { addressKey } from "@dataspace/service-kit/http/rate-limits";
import type { CountRequest } from "@dataspace/service-kit/http/rate-limits";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { Certifier } from "../decisions/certifier.ts";
import { readDecision } from "../decisions/decision-input.ts";
import { authorityRefusal } from "../errors.ts";
import { findSubmission, insertSubmission, listPending, type StoreFault } from "../store/submission-rows.ts";
import type { StoredSubmission } from "../submissions/stored-submission.ts";
import type { VerifySubmission } from "../submissions/verify-submission.ts";
import { readId, readNumber, readSubmission } from "./read-input.ts";
import type { ReviewerOf } from "./reviewer-of.ts";
import type { FastifyInstance } from "fastify";

/** What the door to submissions works with. */
export interface SubmissionsDoorDeps {
  readonly database: Database;
  readonly verify: VerifySubmission;
  readonly certifier: Pick<Certifier, "decide">;
  readonly reviewerOf: ReviewerOf;
  readonly countSubmission: CountRequest;
}

const MOST_LISTED = 100;
const FAULTS: Readonly<Record<StoreFault, string>> = {
  NONCE_SEEN: "You used this nonce in another submission. Take a new nonce.",
  VERSION_IMMUTABLE: "This version is certified with another submission. Submit a new version.",
  NOT_AUTHOR: "Another author has certified releases of this platform. Sign as that author, or as the platform itself.",
  TOO_MANY_PENDING: "You have 20 submissions that wait for a decision. Wait for one.",
};

/** Mounts what authors send and reviewers decide. Source: S3 "Platform authentication"; decisions A1, A6. */
export function mountSubmissions(app: FastifyInstance, deps: SubmissionsDoorDeps): void {
  const { database, verify, certifier, reviewerOf, countSubmission } = deps;
  app.post("/submissions", async (request, reply) => {
    await countSubmission(request, addressKey(request));
    const verified = await verify(readSubmission(request.body));
    const stored = await insertSubmission(database, verified);
    if (typeof stored === "string") throw authorityRefusal(stored, FAULTS[stored]);
    const { id, receivedAt, status } = stored;
    return reply.code(201).send({ submissionId: id, sha256: verified.sha256, status, receivedAt });
  });
  app.get<{ Querystring: Record<string, unknown> }>("/submissions", async (request) => {
    await reviewerOf(request);
    const limit = readNumber(request.query["limit"], { name: "limit", min: 1, max: MOST_LISTED, absent: 20 });
    const cursor = request.query["cursor"];
    const after = cursor === undefined ? undefined : readId(cursor, "BAD_REQUEST");
    const found = await listPending(database, { after, limit: limit + 1 });
    const page = found.slice(0, limit);
    return { submissions: page.map(showSubmission), nextCursor: found.length > limit ? page.at(-1)?.id : null };
  });
  app.get<{ Params: { id: string } }>("/submissions/:id", async ({ params }) => {
    const found = await findSubmission(database, readId(params.id, "UNKNOWN_SUBMISSION"));
    if (found === undefined) throw authorityRefusal("UNKNOWN_SUBMISSION", "There is no submission with this id.");
    return showSubmission(found);
  });
  app.post<{ Params: { id: string } }>("/submissions/:id/decision", async (request) => {
    const reviewer = await reviewerOf(request);
    const id = readId(request.params.id, "UNKNOWN_SUBMISSION");
    return showSubmission(await certifier.decide(reviewer, id, readDecision(request.body)));
  });
}

function showSubmission({ id, sha256, statementText, receivedAt, decision, certificate }: StoredSubmission): object {
  return {
    submissionId: id,
    sha256,
    status: decision?.decision ?? "pending",
    receivedAt,
    statementText,
    decision,
    certificate: certificate === null || certificate.isRevoked ? null : certificate.jws,
    certificateId: certificate?.jti ?? null,
    revoked: certificate?.isRevoked ?? false,
  };
}
