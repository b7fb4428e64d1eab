import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPostcards, prepareRelease } from "@dataspace/certified-platform/postcards";
import { createVerifyEcdsa } from "@dataspace/clients/verify-ecdsa";
import { signWithKey } from "@dataspace/deployment/ask-signature";
import { fetchCertificate } from "@dataspace/deployment/fetch-certificate";
import { performHandshake } from "@dataspace/deployment/handshake";
import { openDeployment } from "@dataspace/deployment/open-deployment";
import { parseRelease } from "@dataspace/deployment/release";
import { systemClock } from "@dataspace/service-kit/clock";
import { VaultError } from "@dataspace/vault-client/vault-error";
import type { HandshakeAnswer } from "@dataspace/platform-auth/evidence";
import {
  createWalletPerson,
  fillVault,
  grantSubmission,
  type PlatformSpace,
  refuseDomain,
  revokeCertificate,
} from "./platform-people.ts";

/** What the story came to, for whoever checks it. */
export interface PlatformOutcome {
  readonly first: HandshakeAnswer;
  readonly postsRead: number;
  /** What the platform reads, and why it may not write, once the owner has refused its domain. */
  readonly postsAfterPolicy: number;
  readonly refusedBy: string;
  readonly last: HandshakeAnswer;
}

const RELEASE = {
  platformName: "Postcards",
  repositoryId: 7,
  repository: "https://git.example/postcards",
  releaseTag: "v1.0.0",
  version: "1.0.0",
  commitSha: "5e1f0c3a9b7d2468ace013579bdf2468ace01357",
  domains: ["social"],
};

/**
 * Tells how a platform gets access and loses it: submission, review, certificate, handshake, a read within the granted domain, a
 * policy of the owner, and a revocation.
 *
 * Out: the outcome. Refuses: what a service refuses against the story. Source: issue "npm run demo -- platform"; decision A1.
 */
export async function tellPlatformStory(space: PlatformSpace, print: (line: string) => void): Promise<PlatformOutcome> {
  const directory = await mkdtemp(join(tmpdir(), "dataspace-platform-"));
  try {
    return await tell(space, directory, print);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function tell(space: PlatformSpace, directory: string, print: (line: string) => void): Promise<PlatformOutcome> {
  const [author, reviewer, owner] = await Promise.all([1, 2, 3].map(() => createWalletPerson(space)));
  if (author === undefined || reviewer === undefined || owner === undefined) throw new Error("There are three people.");
  await fillVault(space, owner);
  const deps = openDeployment(directory, { fetch, clock: systemClock, verifyEcdsa: createVerifyEcdsa() });
  const release = parseRelease({ ...RELEASE, platformEName: `@${crypto.randomUUID()}` });
  const { submissionId } = await prepareRelease(
    deps,
    { ...space, release, deploymentName: "eu-1", environment: "demo" },
    { ename: author.ename, ask: signWithKey(author.key) },
  );
  print(`1. ${author.ename} submits ${release.platformName} ${release.version}: submission ${submissionId}`);
  const jti = await grantSubmission(space, reviewer, { submissionId, domains: release.domains });
  await fetchCertificate(deps, { forMs: 10_000 });
  print(`2. ${reviewer.ename} reviews it and grants ${release.domains.join(", ")} at L3: certificate ${jti}`);
  const shakeHands = () => performHandshake(deps, { owner: owner.ename });
  const first = await shakeHands();
  print(`3. The deployment proves itself to the vault of ${owner.ename}:`);
  printLinks(first, print);
  const postcards = createPostcards(deps);
  const posts = await postcards.readPosts(owner.ename);
  for (const { authorName, text } of posts) print(`4. It reads a post of ${authorName}: ${text}`);
  await refuseDomain(space, owner, "social");
  const after = await postcards.readPosts(owner.ename);
  const refusedBy = await codeOf(() => postcards.writePost(owner.ename, { text: "Hello", authorName: "Postcards" }));
  print(
    `5. The owner refuses the domain social: it reads ${after.length} posts, and its next write is refused, ${refusedBy}`,
  );
  await revokeCertificate(space, reviewer, jti);
  const last = await shakeHands();
  print(`6. The reviewer revokes the certificate, and the next handshake fails at ${last.failedAt}:`);
  printLinks(last, print);
  return { first, postsRead: posts.length, postsAfterPolicy: after.length, refusedBy, last };
}

function printLinks({ links }: HandshakeAnswer, print: (line: string) => void): void {
  for (const { id, code, ok, proves, detail } of links) print(`   ${id} ${code} ${ok ? proves : detail}`);
}

async function codeOf(act: () => Promise<void>): Promise<string> {
  try {
    await act();
    return "not refused";
  } catch (error) {
    if (error instanceof VaultError) return error.code;
    throw error;
  }
}
