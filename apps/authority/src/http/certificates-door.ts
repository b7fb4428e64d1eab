import { issueStatusList } from "@dataspace/platform-auth/status/issue-status-list";
import type { JwsSigner } from "@dataspace/protocol/write-compact-jws";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { Certifier } from "../decisions/certifier.ts";
import { readRevocation } from "../decisions/decision-input.ts";
import { authorityRefusal } from "../errors.ts";
import { findCertificate, findCertificateOfRelease, LIST_SIZE, listRevoked } from "../store/certificate-rows.ts";
import { readEName, readId, readNumber, readVersion } from "./read-input.ts";
import { createReuseSigned } from "./reuse-signed.ts";
import type { ReviewerOf } from "./reviewer-of.ts";
import type { FastifyInstance } from "fastify";

/** What the door to certificates works with. `signer` signs status lists. */
export interface CertificatesDoorDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly signer: JwsSigner;
  readonly certifier: Pick<Certifier, "revoke">;
  readonly reviewerOf: ReviewerOf;
}

/** The last list whose places a certificate can have: places are 32-bit integers. */
const LAST_LIST = 16_382;

/** Mounts certificates, their revocation and their status. Source: decision A1; draft-ietf-oauth-status-list. */
export function mountCertificates(
  app: FastifyInstance,
  { database, clock, signer, certifier, reviewerOf }: CertificatesDoorDeps,
  { issuer }: { readonly issuer: string },
): void {
  const reuse = createReuseSigned<string>(clock);
  app.get<{ Querystring: Record<string, unknown> }>("/certificates", async ({ query }, reply) => {
    const release = { platform: readEName(query["platform"], "platform"), version: readVersion(query["version"]) };
    const at = new Date(clock.nowMs()).toISOString();
    const jws = await findCertificateOfRelease(database, { ...release, at });
    if (jws === undefined) throw unknownCertificate("No certificate of this release is in force.");
    return reply.type("application/jwt").send(jws);
  });
  app.get<{ Params: { jti: string } }>("/certificates/:jti", async ({ params }, reply) => {
    const jws = await findCertificate(database, readId(params.jti, "UNKNOWN_CERTIFICATE"));
    if (jws === undefined) throw unknownCertificate("There is no certificate with this id.");
    return reply.type("application/jwt").send(jws);
  });
  app.post<{ Params: { jti: string } }>("/certificates/:jti/revoke", async (request) => {
    const reviewer = await reviewerOf(request);
    const jti = readId(request.params.jti, "UNKNOWN_CERTIFICATE");
    const { reason } = readRevocation(request.body);
    return { jti, revokedAt: await certifier.revoke(reviewer, jti, reason) };
  });
  app.get<{ Params: { list: string } }>("/status/:list", async ({ params }, reply) => {
    const list = readNumber(params.list, { name: "the list", min: 0, max: LAST_LIST });
    const revoked = await listRevoked(database, list);
    if (revoked === undefined) throw authorityRefusal("UNKNOWN_LIST", "No certificate names this status list.");
    const issuedAtSeconds = Math.floor(clock.nowMs() / 1000);
    const uri = `${issuer}/status/${list}`;
    const token = await reuse(uri, revoked.join(), () =>
      issueStatusList(signer, { issuer, uri, revoked, size: LIST_SIZE, issuedAtSeconds }),
    );
    return reply.type("application/statuslist+jwt").header("cache-control", "public, max-age=300").send(token);
  });
}

function unknownCertificate(message: string) {
  return authorityRefusal("UNKNOWN_CERTIFICATE", message);
}
