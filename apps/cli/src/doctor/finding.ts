/** The result of one check. `fix` says what to do about a fault or a warning. */
export interface Finding {
  readonly check: string;
  readonly status: "ok" | "warning" | "fault" | "skipped";
  readonly message: string;
  readonly fix?: string;
}

/** Makes a finding that all is well. */
export function ok(check: string, message: string): Finding {
  return { check, status: "ok", message };
}

/** Makes a finding about what could not be checked, with the reason. */
export function skipped(check: string, message: string): Finding {
  return { check, status: "skipped", message };
}

/** Makes a finding that names a fault and its fix. */
export function fault(check: string, message: string, fix: string): Finding {
  return { check, status: "fault", message, fix };
}
