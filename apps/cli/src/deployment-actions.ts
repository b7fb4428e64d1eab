import { readFile } from "node:fs/promises";
import { createVerifyEcdsa } from "@dataspace/clients/verify-ecdsa";
import { authorise } from "@dataspace/deployment/authorise";
import { createDeployment } from "@dataspace/deployment/create-deployment";
import { DeploymentError } from "@dataspace/deployment/deployment-error";
import { fetchCertificate } from "@dataspace/deployment/fetch-certificate";
import { performHandshake } from "@dataspace/deployment/handshake";
import { openDeployment } from "@dataspace/deployment/open-deployment";
import { openVault } from "@dataspace/deployment/open-vault";
import { parseRelease } from "@dataspace/deployment/release";
import { submit } from "@dataspace/deployment/submit";
import { withoutTrailingSlashes } from "@dataspace/protocol/base-address";
import { parseEName } from "@dataspace/protocol/ename";
import { systemClock } from "@dataspace/service-kit/clock";
import type { DeploymentDeps } from "@dataspace/deployment/deployment-deps";
import { chooseSigner, type SignerOptions } from "./deployment-signer.ts";
import type { Outcome } from "./print-outcome.ts";

interface InDirectory {
  readonly dir: string;
}

/** The options of `deployment create-key`. */
export interface CreateKeyOptions extends InDirectory {
  readonly release: string;
  readonly name: string;
  readonly environment: string;
  readonly deployment?: string;
  readonly registry: string;
  readonly authority: string;
}

/** `deployment create-key`. Refuses: ALREADY_THERE, INVALID_RELEASE, INVALID_ENAME. */
export async function createKey(options: CreateKeyOptions): Promise<Outcome> {
  const release = parseRelease(await readJson(options.release));
  const settings = await createDeployment(openDeps(options).state, {
    release,
    deploymentName: options.name,
    environment: options.environment,
    deploymentEname: options.deployment === undefined ? undefined : parseEName(options.deployment),
    registryUrl: withoutTrailingSlashes(options.registry),
    authorityUrl: withoutTrailingSlashes(options.authority),
  });
  const { deploymentEname, publicKey } = settings;
  return { lines: [`deployment ${deploymentEname}`, `key ${publicKey}`], json: { deploymentEname, publicKey } };
}

/** `deployment authorise`. Refuses: as `authorise` of the library. */
export async function authoriseKey(options: InDirectory & SignerOptions & { readonly by: string }): Promise<Outcome> {
  const { attestationBundle } = await authorise(openDeps(options), parseEName(options.by), await chooseSigner(options));
  const { signer, timestamp } = attestationBundle;
  return { lines: [`authorised by ${signer} at ${timestamp}`], json: { deployer: signer, authorisedAt: timestamp } };
}

/** `deployment submit`. Refuses: as `submit` of the library. */
export async function submitRelease(options: InDirectory & SignerOptions & { readonly by: string }): Promise<Outcome> {
  const sent = await submit(openDeps(options), parseEName(options.by), await chooseSigner(options));
  const { submissionId, receivedAt } = sent;
  return { lines: [`submission ${submissionId} received at ${receivedAt}`], json: { submissionId, receivedAt } };
}

/** `deployment fetch`. Refuses: as `fetchCertificate`. */
export async function fetchEvidence(options: InDirectory & { readonly wait: number }): Promise<Outcome> {
  const { versionEname, accreditationJws } = await fetchCertificate(openDeps(options), { forMs: options.wait * 1_000 });
  return { lines: [`certificate of ${versionEname} stored`], json: { versionEname, certificate: accreditationJws } };
}

/** `deployment handshake`: the six links, one a line, and the claim. Refuses: as `performHandshake`. */
export async function shakeHands(options: InDirectory & { readonly vault: string }): Promise<Outcome> {
  const owner = parseEName(options.vault);
  const { ok, links, claim, failedAt } = await performHandshake(openDeps(options), { owner });
  const lines = links.map((link) => `${link.id} ${link.code} ${link.ok ? link.proves : link.detail}`);
  const said = claim === null ? [] : [`claim ${claim.level} ${claim.domains.join(",")} version ${claim.version}`];
  return { lines: [...lines, ...said], json: { ok, links, claim, failedAt }, ok };
}

/** `deployment call`: a GraphQL request with DPoP. Refuses: as `openVault`. */
export async function callVault(
  options: InDirectory & { readonly vault: string; readonly query: string; readonly variables: string },
): Promise<Outcome> {
  const vault = await openVault(openDeps(options), parseEName(options.vault));
  const variables = parseVariables(options.variables);
  const isMutation = /^\s*mutation\b/.test(options.query);
  const data = await (isMutation ? vault.mutate : vault.query)<object>(options.query, variables);
  return { lines: [JSON.stringify(data, null, 2)], json: { data } };
}

function openDeps({ dir }: InDirectory): DeploymentDeps {
  return openDeployment(dir, { fetch, clock: systemClock, verifyEcdsa: createVerifyEcdsa() });
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    throw new DeploymentError("INVALID_INPUT", `${file} cannot be read as JSON; check --release.`, { cause });
  }
}

function parseVariables(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Answered below.
  }
  throw new DeploymentError("INVALID_INPUT", "The variables are not a JSON object; check --variables.");
}
