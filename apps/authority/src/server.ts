import { createSign, randomUUID } from "node:crypto";
import { mountReference } from "@dataspace/api-reference/reference";
import { createFindSigner } from "@dataspace/clients/find-signer";
import { createVerifyEcdsa } from "@dataspace/clients/verify-ecdsa";
import { createVerifyWalletToken } from "@dataspace/clients/verify-wallet-token";
import { createHttpServer } from "@dataspace/service-kit/http/http-server";
import { addressKey, createRateLimit } from "@dataspace/service-kit/http/rate-limits";
import { countRequests } from "@dataspace/service-kit/monitoring/request-metrics";
import { openKeySet } from "@dataspace/service-kit/published-keys/key-set";
import { sweepWhileServing } from "@dataspace/service-kit/run/sweep-while-serving";
import { mountUi } from "@dataspace/ui/mount-ui";
import { createUi } from "@dataspace/ui/ui";
import type { JwsSigner } from "@dataspace/protocol/write-compact-jws";
import type { SigningKeys } from "@dataspace/service-kit/published-keys/signing-keys";
import type { ServiceBase } from "@dataspace/service-kit/run/service-base";
import type { AuthorityConfig } from "./config.ts";
import { createCertifier } from "./decisions/certifier.ts";
import { createProveReview } from "./decisions/prove-review.ts";
import { authorityRefusal } from "./errors.ts";
import { mountCertificates } from "./http/certificates-door.ts";
import { mountLog } from "./http/log-door.ts";
import { createReviewerOf } from "./http/reviewer-of.ts";
import { mountStart } from "./http/start-door.ts";
import { mountSubmissions } from "./http/submissions-door.ts";
import { authorityApi } from "./reference/authority-api.ts";
import type { RegistryPart } from "./registry-part.ts";
import { mountReview } from "./review/review.ts";
import { createReviewParts } from "./review/review-parts.ts";
import { sweepReviewRequests } from "./store/review-request-rows.ts";
import { spentReviewerTokens } from "./store/spent-token-rows.ts";
import { sweepSignIns, sweepVisits } from "./store/visit-rows.ts";
import { createVerifySubmission } from "./submissions/verify-submission.ts";
import type { FastifyInstance } from "fastify";

/** What an authority works with. The database's migrations have run. */
export interface AuthorityDeps extends ServiceBase {
  readonly registry: RegistryPart;
}

/** How it behaves. `sandboxUrl` is set only in the development stack. */
export interface AuthorityServerConfig
  extends Pick<AuthorityConfig, "issuer" | "reviewers" | "signingKeys" | "limits" | "trustedProxies"> {
  readonly sandboxUrl: () => string | undefined;
}

const KEY_PLACE = { table: "authority_key", setting: "DS_AUTHORITY_SIGNING_KEY_JWK" } as const;
const BODY_LIMIT_BYTES = 65_536;
const KEY_SET_CACHE_SECONDS = 300;

/**
 * Makes a certifying authority: authors submit releases, reviewers decide, everybody reads certificates, their status and the log.
 *
 * Out: a server that neither listens nor migrates.
 * Refuses: throws a StartupError when the signing key's `kid` belonged to another key before.
 * Source: S3 "Platform authentication"; decisions A1, A6.
 */
export async function createAuthorityServer(
  deps: AuthorityDeps,
  config: AuthorityServerConfig,
): Promise<FastifyInstance> {
  const { database, clock, log, metrics, registry } = deps;
  const keySet = await openKeySet(deps, KEY_PLACE, config.signingKeys.published);
  const app = createHttpServer({
    log,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    cors: { origins: "any" },
    allowedHeaders: ["Content-Type", "Authorization"],
    trustedProxies: config.trustedProxies,
  });
  countRequests(app, metrics);
  const countAddress = createRateLimit(app, { name: "address", requests: config.limits.perAddress, windowSeconds: 60 });
  app.addHook("onRequest", (request) => countAddress(request, addressKey(request)));
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/.well-known/jwks.json", async (_request, reply) => {
    reply.header("cache-control", `public, max-age=${KEY_SET_CACHE_SECONDS}`);
    return keySet.read();
  });
  const signer = toSigner(config.signingKeys);
  const verifyEcdsa = createVerifyEcdsa();
  const { findCertifiedKeys } = registry;
  const verifyWalletToken = createVerifyWalletToken({
    clock,
    log,
    findCertifiedKeys,
    verifyEcdsa,
    refuse: authorityRefusal,
  });
  const prove = createProveReview(createFindSigner({ findCertifiedKeys, verifyEcdsa }));
  const reviewerOf = createReviewerOf({ verifyWalletToken, prove }, config);
  const certifier = createCertifier({ database, clock, signer, newUuid: randomUUID }, config);
  const verify = createVerifySubmission({ clock, keySet: registry.keySet, verifyEcdsa, newUuid: randomUUID });
  const submissions = { name: "submissions", requests: config.limits.submissions, windowSeconds: 60 };
  const countSubmission = createRateLimit(app, submissions);
  mountSubmissions(app, { database, verify, certifier, reviewerOf, countSubmission });
  mountCertificates(app, { database, clock, signer, certifier, reviewerOf }, config);
  mountLog(app, { database, clock, signer }, config);
  const ui = createUi();
  mountUi(app, ui);
  const signIns = { name: "sign-ins", requests: config.limits.signIns, windowSeconds: 60 };
  const countSignIn = createRateLimit(app, signIns);
  const wallets = { log, findCertifiedKeys, verifyEcdsa };
  mountReview(app, createReviewParts({ database, clock, certifier, wallets, ui, countSignIn }, config), config);
  mountStart(app, ui);
  mountReference(app, { ui, api: authorityApi }, { part: "authority", publicUrl: () => config.issuer });
  sweepWhileServing(app, log, [
    { what: "spent wallet tokens", sweep: () => spentReviewerTokens.sweep(database, clock.nowMs()) },
    { what: "requests for a signature", sweep: () => sweepReviewRequests(database, clock.nowMs()) },
    { what: "sign-ins that are over", sweep: () => sweepSignIns(database, clock.nowMs()) },
    { what: "visits that are over", sweep: () => sweepVisits(database, clock.nowMs()) },
  ]);
  return app;
}

function toSigner({ privateKey, published: [{ kid }] }: SigningKeys): JwsSigner {
  const key = { key: privateKey, dsaEncoding: "ieee-p1363" } as const;
  return { kid, sign: (data) => createSign("sha256").update(data).sign(key) };
}
