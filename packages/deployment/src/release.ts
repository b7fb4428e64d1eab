import { isRepositoryId } from "@dataspace/platform-auth/release-submission";
import { isDomainList } from "@dataspace/protocol/domain-list";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { readMembers } from "@dataspace/protocol/read-members";
import { isVersion } from "@dataspace/protocol/version-ename";
import { DeploymentError } from "./deployment-error.ts";

/** A release of a platform, as its file release.json describes it. */
export interface Release {
  readonly platformEName: EName;
  readonly platformName: string;
  readonly repositoryId: number;
  readonly repository: string;
  readonly releaseTag: string;
  readonly version: string;
  readonly commitSha: string;
  /** The domains of data that the release asks for. */
  readonly domains: readonly string[];
  /** Who may run the release beside its author. */
  readonly deployers?: readonly EName[];
}

const MEMBERS = [
  "platformEName",
  "platformName",
  "repositoryId",
  "repository",
  "releaseTag",
  "version",
  "commitSha",
  "domains",
] as const;

/**
 * Reads the description of a release.
 *
 * Refuses: INVALID_RELEASE with the member; a member that is not known is refused. Source: decision A1.
 */
export function parseRelease(value: unknown): Release {
  try {
    const shape = { code: "INVALID_SUBMISSION", what: "release", members: MEMBERS, optional: ["deployers"] } as const;
    const read = readMembers(value, shape);
    const { deployers } = value as { readonly deployers?: unknown };
    return {
      platformEName: read.ename("platformEName"),
      platformName: read.text("platformName"),
      repositoryId: read.judged("repositoryId", isRepositoryId, "must be a whole number above 0"),
      repository: read.text("repository"),
      releaseTag: read.text("releaseTag"),
      version: read.judged("version", isVersion, "must be a version"),
      commitSha: read.text("commitSha"),
      domains: read.judged("domains", isDomainList, "must be a list of at most 32 distinct domains"),
      ...(deployers === undefined
        ? {}
        : { deployers: read.judged("deployers", isTexts, "must be eNames").map(parseEName) }),
    };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new DeploymentError("INVALID_RELEASE", error.message, { cause: error });
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}
