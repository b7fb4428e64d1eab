import { readFileSync, statSync } from "node:fs";
import { z } from "zod";

const MAX_BYTES = 4 * 1_048_576;

/**
 * A setting that names a JSON file, at most 4 MiB, whose content `read` turns into the setting's value. The file is read once, at the
 * start.
 */
export function jsonFileSetting<T>(
  read: (content: unknown) => { readonly value: T } | { readonly fault: string },
): z.ZodType<T, string> {
  return z.string().transform((path, context): T => {
    const parsed = readJsonFile(path);
    const reading = "fault" in parsed ? parsed : read(parsed.content);
    if ("value" in reading) return reading.value;
    context.addIssue({ code: "custom", message: `the file ${JSON.stringify(path)} ${reading.fault}` });
    return z.NEVER;
  });
}

function readJsonFile(path: string): { readonly content: unknown } | { readonly fault: string } {
  try {
    if (statSync(path).size > MAX_BYTES) return { fault: "must have at most 4 MiB" };
    return { content: JSON.parse(readFileSync(path, "utf8")) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { fault: code === undefined ? "is not JSON" : `cannot be read (${code})` };
  }
}
