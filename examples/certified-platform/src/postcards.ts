import { authorise } from "@dataspace/deployment/authorise";
import { createDeployment } from "@dataspace/deployment/create-deployment";
import { openVault } from "@dataspace/deployment/open-vault";
import { submit } from "@dataspace/deployment/submit";
import { ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import type { AskSignature } from "@dataspace/deployment/ask-signature";
import type { NewDeployment } from "@dataspace/deployment/create-deployment";
import type { DeploymentDeps } from "@dataspace/deployment/deployment-deps";
import type { SentSubmission } from "@dataspace/deployment/deployment-state";
import type { EName } from "@dataspace/protocol/ename";

/** A post, as platforms share it. */
export interface Post {
  readonly text: string;
  readonly authorName: string;
}

/** The platform at work: what it reads and writes in the vaults of people. */
export interface Postcards {
  readonly readPosts: (owner: EName) => Promise<readonly Post[]>;
  readonly writePost: (owner: EName, post: Post) => Promise<void>;
}

/** Prepares a release for its certificate: key, authorisation and submission. Refuses: as these steps. Source: decision A1. */
export async function prepareRelease(
  deps: DeploymentDeps,
  deployment: NewDeployment,
  author: { readonly ename: EName; readonly ask: AskSignature },
): Promise<SentSubmission> {
  await createDeployment(deps.state, deployment);
  await authorise(deps, author.ename, author.ask);
  return submit(deps, author.ename, author.ask);
}

/** Makes the platform of a certified deployment. Refuses: its calls reject as `openVault` and with a VaultError. */
export function createPostcards(deps: DeploymentDeps): Postcards {
  return {
    readPosts: async (owner) => {
      const vault = await openVault(deps, owner);
      const posts: Post[] = [];
      for await (const { parsed } of vault.list<Post>({ ontologyId: ONTOLOGY_ID.SocialMediaPost })) posts.push(parsed);
      return posts;
    },
    writePost: async (owner, post) => {
      const vault = await openVault(deps, owner);
      await vault.create({ ontology: ONTOLOGY_ID.SocialMediaPost, payload: { ...post }, acl: ["*"] });
    },
  };
}
