import { OWNER } from "@dataspace/api-reference/demo-people";
import { HTTP_ERRORS } from "@dataspace/api-reference/http-errors";
import type { Api } from "@dataspace/api-reference/api";
import { REGISTRY_ERRORS } from "../errors.ts";
import { nameOperations } from "./name-operations.ts";
import { releaseOperations } from "./release-operations.ts";
import { tokenOperations } from "./token-operations.ts";

const STORAGE = ["RATE_LIMITED", "STORAGE_FULL", "STORAGE_UNAVAILABLE", "TIMEOUT"];

/** What the registry's reference is made from. */
export const registryApi: Api = {
  info: {
    title: "Dataspace registry",
    summary: "Which vault an eName has, and whose key is whose.",
    about:
      'The registry maps eNames to vaults and to releases of platforms. It signs key binding certificates and entropy, and publishes the keys that verify them. It stores no data of people.\n\nEvery refusal is `{"error":{"code","message"}}` with the status of its code. Requests of one address are limited.',
  },
  credentials: {
    sharedSecret: { description: "REGISTRY_SHARED_SECRET, which the operator gives to vaults and provisioners." },
  },
  callers: {
    anybody: { says: "For everybody.", shows: [], refuses: STORAGE },
    holder: {
      says: "For vaults and provisioners.",
      shows: ["sharedSecret"],
      refuses: ["UNAUTHENTICATED", ...STORAGE],
      isChallenged: true,
    },
  },
  errors: { ...REGISTRY_ERRORS, ...HTTP_ERRORS },
  groups: [nameOperations, tokenOperations, releaseOperations],
  more: { variables: { dsid: OWNER } },
};
