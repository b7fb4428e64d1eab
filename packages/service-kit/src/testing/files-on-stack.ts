const ROOT = new URL("../../../../", import.meta.url).href;
const OUTSIDE = /^node_modules\/|\.test\.ts$|\/spec\/|\/testing\//;

/**
 * Lists the files of this repository on the call stack, innermost first, each once, tests left out. A function that
 * awaits a promise counts as its caller.
 */
export function filesOnStack(): readonly string[] {
  const usual = Error.stackTraceLimit;
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  const { stack = "" } = new Error("to read its stack");
  Error.stackTraceLimit = usual;
  const files = stack.split("\n").flatMap((line) => line.split(ROOT)[1]?.split(":")[0] ?? []);
  return [...new Set(files.filter((file) => !OUTSIDE.test(file)))];
}
