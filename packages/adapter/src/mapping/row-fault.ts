/** Why one row or payload cannot be converted. */
export type RowFaultCode = "SCALAR_PARENT" | "UNKNOWN_REFERENCE" | "NOT_JSON" | "INVALID_FILE" | "OWNER_CHANGED";

/** A row or payload that cannot be converted as it is. The message names the place, never a value. */
export class RowFault extends Error {
  readonly code: RowFaultCode;

  constructor(code: RowFaultCode, message: string) {
    super(message);
    this.name = "RowFault";
    this.code = code;
  }
}
