/**
 * Returns the loggable members of an error: type, code, message, stack and cause. Other values are returned unchanged.
 * Refuses: never.
 */
export function errorToEntry(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code: unknown = "code" in error ? error.code : undefined;
  const cause = error.cause === undefined ? undefined : errorToEntry(error.cause);
  return { type: error.name, code, message: error.message, stack: error.stack, cause };
}
