import { OWNER } from "@dataspace/api-reference/demo-people";
import type { Api } from "@dataspace/api-reference/api";
import { VAULT_ERRORS, type VaultErrorCode } from "../errors.ts";
import { fileOperations } from "./file-operations.ts";
import { handshakeOperations } from "./handshake-operations.ts";
import { keyOperations } from "./key-operations.ts";
import { recordOperations } from "./record-operations.ts";
import type { Caller } from "./vault-operation.ts";

const ADDRESSED: readonly VaultErrorCode[] = [
  ...(["MISSING_ENAME", "INVALID_ENAME", "UNKNOWN_ENAME", "RATE_LIMITED", "REQUEST_TIMEOUT"] as const),
  ...(["STORAGE_FULL", "STORAGE_UNAVAILABLE", "TIMEOUT"] as const),
];
const PROVEN: readonly VaultErrorCode[] = [...ADDRESSED, "INVALID_TOKEN", "REGISTRY_UNAVAILABLE", "BUSY"];

const CALLERS: Api["callers"] & Readonly<Record<Caller, unknown>> = {
  anybody: { says: "For everybody.", shows: [], refuses: ["RATE_LIMITED", "STORAGE_UNAVAILABLE"] },
  addressed: { says: "For everybody. A credential is ignored.", shows: [], refuses: ADDRESSED },
  caller: {
    says: "For whoever the record's policy lets in. In the development stack a request without a credential counts as the owner's own.",
    shows: ["walletToken", "platformSession"],
    refuses: PROVEN,
  },
  owner: {
    says: "For the owner, by a wallet token.",
    shows: ["walletToken"],
    refuses: [...PROVEN, "UNAUTHENTICATED"],
    spendsToken: true,
  },
};

/** What the reference of the vault's HTTP API is made from. */
export const vaultApi: Api = {
  info: {
    title: "Dataspace vault",
    summary: "People's data.",
    about:
      'A vault service holds the vaults of many owners. The header `X-ENAME` names the owner whose vault a request addresses. Records are read and written by GraphQL at `/graphql`; its schema is at `/schema.graphql`.\n\nEvery refusal is `{"error":{"code","message"}}` with the status of its code. Inside GraphQL a mutation lists its refusals in `errors`, and a query in `extensions.code`.',
  },
  credentials: {
    walletToken: {
      bearerFormat: "JWT",
      description:
        "A wallet token whose `aud` is the eName of the addressed owner. It serves any number of reads and one request that writes. `/export`, `/move`, `/import` and `/erase` take a token whose `aud` is the origin of the vault service instead, since both hosts of a move receive tokens.",
    },
    platformSession: {
      scheme: "dpop",
      description:
        "A session, `dss_...`, from `/pp-auth/verify`. It is sent as `Authorization: DPoP` with a proof in `DPoP` (RFC 9449), or as a Bearer where the handshake asked for `none`.",
    },
  },
  callers: CALLERS,
  errors: VAULT_ERRORS,
  groups: [recordOperations, fileOperations, keyOperations, handshakeOperations],
  more: { variables: { "x-ename": OWNER, owner: OWNER } },
};
