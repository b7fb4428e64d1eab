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
import { createWalletPerson, grantSubmission, type PlatformSpace } from "../../demo/platform-people.ts";

/** A certified platform that reads posts: its eName, and how many posts it reads of an owner now. */
export interface RunningPlatform extends AsyncDisposable {
  readonly ename: string;
  readonly countPosts: (owner: string) => Promise<number>;
}

/** A release that waits for a reviewer: the platform, the submission, and the author's deployment, whose files are removed at the end. */
export interface SubmittedRelease extends AsyncDisposable {
  readonly ename: string;
  readonly submissionId: string;
  readonly deps: ReturnType<typeof openDeployment>;
}

/** Has an author submit a release that asks for the domain social. Refuses: what a service refuses. Source: decision A1. */
export async function submitSampleRelease(space: PlatformSpace): Promise<SubmittedRelease> {
  const directory = await mkdtemp(join(tmpdir(), "dataspace-platform-"));
  const author = await createWalletPerson(space);
  const deps = openDeployment(directory, { fetch, clock: systemClock, verifyEcdsa: createVerifyEcdsa() });
  const ename = `@${crypto.randomUUID()}`;
  const release = parseRelease({
    platformName: "Postcards",
    repositoryId: 7,
    repository: "https://git.example/postcards",
    releaseTag: "v1.0.0",
    version: "1.0.0",
    commitSha: "5e1f0c3a9b7d2468ace013579bdf2468ace01357",
    domains: ["social"],
    platformEName: ename,
  });
  const signer = { ename: author.ename, ask: signWithKey(author.key) };
  const { submissionId } = await prepareRelease(
    deps,
    { ...space, release, deploymentName: "eu-1", environment: "demo" },
    signer,
  );
  return {
    ename,
    submissionId,
    deps,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Certifies a release for the domain social and runs it. Refuses: what a service refuses. Source: decision A1. */
export async function runPlatform(space: PlatformSpace): Promise<RunningPlatform> {
  const { ename, submissionId, deps, ...release } = await submitSampleRelease(space);
  const reviewer = await createWalletPerson(space);
  await grantSubmission(space, reviewer, { submissionId, domains: ["social"] });
  await fetchCertificate(deps, { forMs: 10_000 });
  const postcards = createPostcards(deps);
  return {
    ename,
    countPosts: async (owner) => {
      await performHandshake(deps, { owner: owner as never });
      return (await postcards.readPosts(owner as never)).length;
    },
    [Symbol.asyncDispose]: release[Symbol.asyncDispose],
  };
}
