import type { ErrorRow } from "./api.ts";

/** The refusals of the HTTP layer, for services whose own table leaves them out. Source: decision V2. */
export const HTTP_ERRORS: Readonly<Record<string, ErrorRow>> = {
  NOT_FOUND: { status: 404, when: "Nothing is served at this address." },
  METHOD_NOT_ALLOWED: { status: 405, when: "The address does not serve this method." },
  REQUEST_TIMEOUT: { status: 408, when: "The request, or its body, did not arrive within 30 s." },
  PAYLOAD_TOO_LARGE: { status: 413, when: "The body is larger than 1 MiB." },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, when: "The body is not plain application/json." },
  INTERNAL_ERROR: { status: 500, when: "An internal error; the log has the cause." },
  STORAGE_FULL: { status: 503, when: "The storage has no space left." },
  STORAGE_UNAVAILABLE: { status: 503, when: "The storage does not answer." },
  TIMEOUT: { status: 503, when: "A database statement exceeded its time limit." },
};
