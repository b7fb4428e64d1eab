import { Refusal } from "@dataspace/service-kit/http/refusal";

/**
 * Every refusal of the vault: its code, its status on plain HTTP, and when it occurs. The table is closed: no other
 * code leaves the vault, and each has a test.
 *
 * Source: decision V2; S1 "Errors".
 */
export const VAULT_ERRORS = {
  BAD_REQUEST: { status: 400, when: "The endpoint cannot read the request." },
  MISSING_ENAME: { status: 400, when: "The X-ENAME header is missing." },
  INVALID_ENAME: { status: 400, when: "An eName is not `@` and a UUID." },
  UNKNOWN_ENAME: { status: 404, when: "The eName has no vault here." },
  VAULT_MOVED: { status: 404, when: "The vault has moved; the message names the new place." },
  VAULT_READ_ONLY: {
    status: 503,
    when: "The vault is moving, or has just arrived, and takes no writes; Retry-After says when to retry.",
  },
  MOVE_CONFLICT: { status: 409, when: "The step does not fit the state of the vault's move or import." },
  IMPORT_NOT_ADMITTED: { status: 403, when: "The operator has not admitted the vault, or its code is not valid." },
  IMPORT_REFUSED: { status: 422, when: "An archive, or a part of it, is malformed, altered or of another owner." },
  INVALID_TOKEN: { status: 401, when: "The credential is invalid." },
  UNAUTHENTICATED: { status: 401, when: "The request needs a credential and has none." },
  TOKEN_SPENT: { status: 401, when: "The wallet token has already served its one writing request." },
  FORBIDDEN: {
    status: 403,
    when: "The caller may read the MetaEnvelope but lacks the permission, may not create here, or may not set a policy.",
  },
  DOMAIN_NOT_CERTIFIED: {
    status: 403,
    when: "The platform's certificate does not cover the domain of the ontology; an ontology without a domain is covered by none.",
  },
  DOMAIN_REFUSED_BY_OWNER: { status: 403, when: "The owner's access policy refuses the domain of the ontology." },
  DOMAIN_OUTSIDE_ALLOWLIST: {
    status: 403,
    when: "The owner's access policy lists domains, and not that of the ontology.",
  },
  LEVEL_BELOW_POLICY: { status: 403, when: "The owner's access policy asks for a higher certification level." },
  REPUTATION_ENGINE_NOT_ACCEPTED: {
    status: 403,
    when: "The owner's access policy asks for a reputation, and its engine has no reading of the platform that counts.",
  },
  REPUTATION_BELOW_POLICY: { status: 403, when: "The owner's access policy asks for more reputation." },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    when: "A development server does not accept requests from this web page or host.",
  },
  NOT_FOUND: { status: 404, when: "The item does not exist, or the caller may not see it." },
  METHOD_NOT_ALLOWED: { status: 405, when: "The endpoint does not serve this method." },
  REQUEST_TIMEOUT: { status: 408, when: "The request, or its body, did not arrive within 30 s." },
  PAYLOAD_TOO_LARGE: { status: 413, when: "A body, payload, nesting or field count is over its limit." },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, when: "The body is not plain application/json." },
  BAD_USER_INPUT: { status: 400, when: "An argument is missing, of the wrong type or out of range." },
  INVALID_TEXT: { status: 400, when: "A string contains U+0000 or is not well-formed Unicode." },
  NUMBER_PRECISION: { status: 400, when: "A double cannot represent a number exactly." },
  INVALID_KEY: { status: 400, when: "A payload has the key `__proto__`." },
  INVALID_ID: { status: 400, when: "An id is not 1 to 128 characters of A-Z a-z 0-9 . _ : @ -" },
  ID_EXISTS: { status: 409, when: "The owner has, or had, a MetaEnvelope with this id." },
  BULK_TOO_LARGE: { status: 400, when: "A bulk has more than 1,000 MetaEnvelopes." },
  INVALID_VERSION: { status: 400, when: "A version number is not 1 or more." },
  VERSION_NOT_FOUND: { status: 404, when: "The MetaEnvelope has no such version." },
  VERSION_IS_DELETE: { status: 409, when: "The version records a removal." },
  VERSION_ERASED: { status: 410, when: "The content of the version was erased for good." },
  ROLLBACK_FAILED: { status: 500, when: "The version cannot be read back." },
  RESULT_TOO_LARGE: {
    status: 413,
    when: "A list without pages is above its limit, a request reads and answers more than 64 MiB, or an answer is too large to be stored for its Idempotency-Key.",
  },
  INVALID_ACL: {
    status: 400,
    when: "An access array has an entry other than `*` and eNames, or over 256 entries; or `_acl` is malformed.",
  },
  ACL_CHANGE_FORBIDDEN: {
    status: 403,
    when: "A caller other than the owner sends a policy that differs from the one in force.",
  },
  INVALID_ACCESS_POLICY: {
    status: 400,
    when: "An owner's access policy is malformed, not signed by the owner, not newer than the one in force, or to be changed in place.",
  },
  INVALID_PAGINATION: { status: 400, when: "`first` or `last` is not positive, or the directions are mixed." },
  BAD_CURSOR: { status: 400, when: "A cursor was altered, or belongs to another list." },
  INVALID_PUBLIC_KEY: { status: 400, when: "A public key is not multibase text of a P-256 point." },
  INVALID_CONTENT: { status: 400, when: "A file's content is not strict base64." },
  FILE_TOO_LARGE: { status: 413, when: "A file is larger than 10 MiB." },
  UPLOAD_FAILED: { status: 503, when: "The file store failed to store a file; nothing was written." },
  LAST_KEY: { status: 409, when: "The key is the only one in force." },
  TOO_MANY_KEYS: { status: 409, when: "The owner has 20 keys in force." },
  USE_BINDING_DOCUMENT_MUTATION: { status: 400, when: "Only the binding document mutations write a binding document." },
  INVALID_BINDING_DOCUMENT: { status: 400, when: "The data of a binding document does not match its type." },
  INVALID_SIGNER: { status: 403, when: "The signer may not sign this binding document." },
  INVALID_SIGNATURE: { status: 400, when: "No certified key of the signer made the signature over this text." },
  ALREADY_SIGNED: { status: 409, when: "The signer has already signed this binding document." },
  TOO_MANY_SIGNATURES: { status: 409, when: "The binding document has 32 signatures." },
  GRAPHQL_PARSE_FAILED: { status: 400, when: "The GraphQL document does not parse." },
  GRAPHQL_VALIDATION_FAILED: { status: 400, when: "The GraphQL document does not match the schema." },
  GRAPHQL_LIMIT_EXCEEDED: { status: 400, when: "The GraphQL document is deeper, longer or wider than allowed." },
  IDEMPOTENCY_MISMATCH: { status: 422, when: "The Idempotency-Key came with another request in the last 24 hours." },
  ANSWER_ERASED: {
    status: 410,
    when: "The request of this Idempotency-Key was carried out, and an erasure destroyed its answer.",
  },
  RATE_LIMITED: {
    status: 429,
    when: "Too many requests from one caller or address; Retry-After says when to retry.",
  },
  QUOTA_EXCEEDED: {
    status: 507,
    when: "The quota of MetaEnvelopes or bytes is used up: the owner's, or that of guests.",
  },
  BUSY: {
    status: 503,
    when: "The bodies, keyed requests or reads in progress have reached their limit; Retry-After says when to retry.",
  },
  REGISTRY_UNAVAILABLE: {
    status: 503,
    when: "The registry or another vault does not answer, so a token or a signature cannot be verified.",
  },
  TRY_AGAIN: {
    status: 503,
    when: "A keyed request depends on facts that the registry or another vault did not return. Nothing is stored for its key.",
  },
  STORAGE_FULL: { status: 503, when: "The storage has no space left." },
  STORAGE_UNAVAILABLE: { status: 503, when: "The storage does not answer." },
  TIMEOUT: { status: 503, when: "A database statement exceeded its time limit." },
  INVALID_REQUEST: { status: 400, when: "The body of a handshake request is not the JSON object that it must be." },
  AUDIENCE_NOT_SERVED: {
    status: 400,
    when: "A handshake challenge is requested for another audience than the addressed owner.",
  },
  CHALLENGE_STORE_FULL: {
    status: 503,
    when: "10,000 handshake challenges of the owner are outstanding, or 100 of the owner and the source address.",
  },
  HANDSHAKE_UNAVAILABLE: { status: 503, when: "The vault trusts no certifying authority, so no handshake can hold." },
  INTERNAL_ERROR: { status: 500, when: "An internal error; the log has the cause." },
} as const;

/** A code of the closed table. */
export type VaultErrorCode = keyof typeof VAULT_ERRORS;

/**
 * Makes the refusal for a code of the table.
 *
 * In: `message` says what to do; `field` names the input at fault, such as `payload.a.b`.
 */
export function refusal(code: VaultErrorCode, message: string, field?: string): Refusal {
  return new Refusal(code, message, { status: VAULT_ERRORS[code].status, ...(field === undefined ? {} : { field }) });
}

/** Makes the refusal for a code of the table that passes by itself. In: seconds until a retry makes sense. */
export function refusalForNow(code: VaultErrorCode, message: string, retryAfterSeconds: number): Refusal {
  return new Refusal(code, message, { status: VAULT_ERRORS[code].status, retryAfterSeconds });
}
