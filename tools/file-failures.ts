// Says why a test file failed although no test in it did: what the test runner itself leaves out.
import type { run } from "node:test";

/** Output per file that is stored in case the file fails. */
const STORED_LINES = 40;

/**
 * Collects why files failed as a whole.
 *
 * In: the runner's events. Out: one text per file that ended with an exit code or a signal of its own: a native crash, or
 * a promise that was rejected after its test.
 */
export function collectFileFailures(events: ReturnType<typeof run>): readonly string[] {
  const output = new Map<string, string[]>();
  const found: string[] = [];
  const store = ({ entryFile, message }: { readonly entryFile?: string; readonly message: string }): void => {
    if (entryFile === undefined) return;
    output.set(entryFile, [...(output.get(entryFile) ?? []), message.trimEnd()].slice(-STORED_LINES));
  };
  events.on("test:stderr", store);
  events.on("test:diagnostic", store);
  events.on("test:fail", ({ name, file, details }) => {
    const { exitCode, signal } = details.error as {
      readonly exitCode?: number | null;
      readonly signal?: string | null;
    };
    if (name !== file || (exitCode === undefined && signal === undefined)) return;
    found.push([`${name} ended with ${signal ?? `exit code ${exitCode}`}:`, ...(output.get(name) ?? [])].join("\n  "));
  });
  return found;
}
