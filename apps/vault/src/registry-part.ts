import { createCachedResolve } from "@dataspace/clients/cached-resolve";
import { createCertifiedKeys } from "@dataspace/clients/certified-keys";
import { createIsKnown } from "@dataspace/clients/known-enames";
import { createRegistryClient, type RegistryClient } from "@dataspace/clients/registry-client";
import { createRegistryWriter } from "@dataspace/clients/registry-writer";
import { createRemoteKeySet, type RemoteKeySet } from "@dataspace/clients/remote-key-set";
import { createVerifyEs256 } from "@dataspace/clients/verify-ecdsa";
import { withinShare } from "@dataspace/clients/within-share";
import { createQuestionShares, type QuestionShares } from "@dataspace/service-kit/http/question-shares";
import type { Fetch } from "@dataspace/clients/timed-fetch";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Secret } from "@dataspace/service-kit/secret";
import type { PolicyFactsDeps } from "./access/fact-sources.ts";
import type { VaultTokenDeps } from "./caller/wallet-token.ts";
import type { CertificatesDeps } from "./keys/key-binding-certificates.ts";

/** What the vault asks the registry. Its calls reject with the clients' errors. */
export interface RegistryPart
  extends Pick<CertificatesDeps, "certifyKey">,
    Pick<PolicyFactsDeps, "isKnown">,
    Pick<VaultTokenDeps, "findCertifiedKeys"> {
  readonly verifySignature: RemoteKeySet["verify"];
  /** Asks the registry itself, without a cache. */
  readonly resolve: RegistryClient["resolve"];
  /** Counts the questions to the registry for the caller who causes them. */
  readonly questions: Pick<QuestionShares, "countRequests" | "countFor">;
}

/**
 * Makes the vault's requests to the registry: certificates of its owners' keys, the verification of the registry's
 * tokens, and the certified keys of any eName.
 *
 * In: `fetch` is for the registry, `guardedFetch` for the vaults that it names. `registryQuestions`: how many questions
 * one caller may cause in a minute; 0: no limit.
 * Refuses: its calls reject with the clients' errors. Source: S1 "Key binding certificate"; decisions I4, E6, V25.
 */
export function createRegistryPart(
  deps: { readonly fetch: Fetch; readonly guardedFetch: Fetch; readonly clock: Clock },
  config: { readonly registryUrl: string; readonly registrySecret: Secret; readonly registryQuestions: number },
): RegistryPart {
  const { registryUrl, registrySecret } = config;
  const writer = createRegistryWriter(deps, { registryUrl, sharedSecret: registrySecret.reveal() });
  const keySet = createRemoteKeySet(
    { ...deps, verifyEs256: createVerifyEs256() },
    { keySetUrl: `${registryUrl}/.well-known/jwks.json` },
  );
  const client = createRegistryClient(deps, { registryUrl, sharedSecret: registrySecret.reveal() });
  const questions = createQuestionShares(deps, { perMinute: config.registryQuestions });
  const asked = { resolve: withinShare(questions.take, client.resolve) };
  const registry = { resolve: createCachedResolve({ clock: deps.clock, registry: asked }) };
  return {
    questions,
    certifyKey: withinShare(questions.take, writer.certifyKey),
    verifySignature: keySet.verify,
    resolve: asked.resolve,
    isKnown: createIsKnown({ clock: deps.clock, registry }),
    findCertifiedKeys: createCertifiedKeys({ ...deps, registry, keySet }),
  };
}
