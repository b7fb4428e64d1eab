/** What is wrong with a mapping, as a code. */
export type MappingFaultCode =
  | "INVALID_JSON"
  | "WRONG_TYPE"
  | "MISSING_MEMBER"
  | "INVALID_PATH"
  | "FORBIDDEN_NAME"
  | "UNKNOWN_FORM"
  | "INVALID_ARITHMETIC"
  | "INVALID_OWNER_PATH"
  | "TOO_LARGE"
  | "DUPLICATE_TABLE"
  | "DUPLICATE_TARGET"
  | "DUPLICATE_SOURCE"
  | "MISSING_RELATION"
  | "CYCLE"
  | "NOT_INVERTIBLE";

/** One fault and its place: `key` is the member (`localToUniversalMap.createdAt`), `column` counts from 1 in that member's text. */
export interface MappingFault {
  readonly code: MappingFaultCode;
  readonly file: string;
  readonly key: string;
  readonly column: number;
  readonly message: string;
}

/** Mappings that cannot be used, with every fault that was found. */
export class InvalidMappings extends Error {
  readonly code = "INVALID_MAPPINGS";
  readonly faults: readonly MappingFault[];

  constructor(faults: readonly MappingFault[]) {
    super(faults.map(describeFault).join("\n"));
    this.name = "InvalidMappings";
    this.faults = faults;
  }
}

/** A fault inside one text, before its file and key are known. */
export class TextFault extends Error {
  readonly code: MappingFaultCode;
  readonly column: number;

  constructor(code: MappingFaultCode, column: number, message: string) {
    super(message);
    this.name = "TextFault";
    this.code = code;
    this.column = column;
  }
}

/** One line: `file key:column CODE message`. */
function describeFault({ code, file, key, column, message }: MappingFault): string {
  return `${file} ${key}:${column} ${code} ${message}`;
}
