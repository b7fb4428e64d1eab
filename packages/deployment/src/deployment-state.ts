import type { Evidence } from "@dataspace/platform-auth/evidence";
import type { Submission } from "@dataspace/platform-auth/release-submission";
import type { DeploymentAttestation } from "@dataspace/protocol/deployment-bundle";
import type { EName } from "@dataspace/protocol/ename";
import type { PrivateJwk } from "@dataspace/wallet/wallet-key";
import { DeploymentError } from "./deployment-error.ts";
import type { Release } from "./release.ts";
import type { StateFiles } from "./state-files.ts";

/** What create-key fixes: the deployment, the release it runs, and whom it asks. `publicKey` is multibase text. */
export interface DeploymentSettings {
  readonly deploymentEname: EName;
  readonly deploymentName: string;
  readonly environment: string;
  readonly publicKey: string;
  readonly release: Release;
  readonly registryUrl: string;
  readonly authorityUrl: string;
}

/** A statement that waits for its signature; its text is fixed, so that a signature that comes later still fits. */
export interface DraftSubmission {
  readonly author: EName;
  readonly statementText: string;
  readonly payload: string;
}

/** A submission that the authority stored. Times are ISO 8601. */
export interface SentSubmission {
  readonly submissionId: string;
  readonly receivedAt: string;
  readonly submission: Submission;
}

/** A session at one owner's vault. */
export interface StoredSession {
  readonly accessToken: string;
  readonly tokenType: "DPoP" | "Bearer";
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** The steps that leave a file, in their order, with the name of the file and of the command. */
const STEPS = {
  settings: { file: "deployment.json", command: "create-key" },
  key: { file: "deployment-key.json", command: "create-key" },
  attestation: { file: "attestation.json", command: "authorise" },
  draft: { file: "submission-draft.json", command: "submit" },
  submission: { file: "submission.json", command: "submit" },
  evidence: { file: "evidence.json", command: "fetch" },
} as const;

interface Values {
  readonly settings: DeploymentSettings;
  readonly key: PrivateJwk;
  readonly attestation: DeploymentAttestation;
  readonly draft: DraftSubmission;
  readonly submission: SentSubmission;
  readonly evidence: Evidence;
}

/** What a deployment has done so far. */
export interface DeploymentState {
  readonly directory: string;
  readonly find: <Step extends keyof Values>(step: Step) => Promise<Values[Step] | undefined>;
  /** Refuses: STEP_MISSING, which names the command. */
  readonly get: <Step extends keyof Values>(step: Step) => Promise<Values[Step]>;
  readonly put: <Step extends keyof Values>(step: Step, value: Values[Step]) => Promise<void>;
  readonly findSession: (owner: EName) => Promise<StoredSession | undefined>;
  readonly putSession: (owner: EName, session: StoredSession) => Promise<void>;
}

/** Makes the typed view of a deployment's files. Refuses: STEP_MISSING, STATE_DAMAGED. Source: decision A1. */
export function createDeploymentState(files: StateFiles): DeploymentState {
  const find: DeploymentState["find"] = (step) => files.read(STEPS[step].file);
  return {
    directory: files.directory,
    find,
    get: async (step) => {
      const value = await find(step);
      if (value !== undefined) return value;
      const { file, command } = STEPS[step];
      throw new DeploymentError(
        "STEP_MISSING",
        `${files.directory} has no ${file}; run \`dataspace deployment ${command}\` first.`,
      );
    },
    put: (step, value) => files.write(STEPS[step].file, value),
    findSession: (owner) => files.read(sessionFile(owner)),
    putSession: (owner, session) => files.write(sessionFile(owner), session),
  };
}

function sessionFile(owner: EName): string {
  return `session-${owner.slice(1)}.json`;
}
