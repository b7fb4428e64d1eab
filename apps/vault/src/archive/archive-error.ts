/**
 * Every refusal of an archive: its code, and when it occurs. The table is closed, and each code has a test.
 *
 * Source: decision V18.
 */
export const ARCHIVE_ERRORS = {
  NOT_AN_ARCHIVE: "The file is not a vault archive.",
  ARCHIVE_TOO_NEW: "A newer version of Dataspace wrote the archive, or it holds records that this build cannot read.",
  ARCHIVE_TRUNCATED: "The archive ends before its manifest.",
  ARCHIVE_ALTERED: "The archive differs from its checksums, its manifest or the expected digest.",
  ARCHIVE_INVALID: "An entry of the archive is malformed, out of order or contradicts another entry.",
  ARCHIVE_SIGNATURE_INVALID: "A signature of the owner in the archive does not verify.",
  ARCHIVE_OTHER_OWNER: "The archive belongs to another owner.",
  ARCHIVE_TOO_LARGE: "The archive expands beyond its bounds.",
  VAULT_EXISTS: "The owner already has a vault with other content here.",
  IMPORT_INCOMPLETE: "The imported vault does not equal the archive.",
} as const;

/** A code of the closed table. */
export type ArchiveErrorCode = keyof typeof ARCHIVE_ERRORS;

/** An archive that is refused. The message says what is wrong and what to do. Source: decision V18. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
  readonly code: ArchiveErrorCode;

  constructor(code: ArchiveErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
