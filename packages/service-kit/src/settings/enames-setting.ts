import { type EName, isEName } from "@dataspace/protocol/ename";
import { z } from "zod";

/** A set of eNames, separated by commas; none when absent. */
export function eNamesSetting(): z.ZodType<ReadonlySet<EName>> {
  return z.string().default("").transform(readENames);
}

function readENames(text: string, context: z.RefinementCtx): ReadonlySet<EName> {
  const entries = text.split(",").flatMap((entry) => entry.trim().toLowerCase() || []);
  const wrong = entries.find((entry) => !isEName(entry));
  if (wrong !== undefined) {
    context.addIssue({ code: "custom", message: `lists eNames, separated by commas, not ${JSON.stringify(wrong)}` });
  }
  return new Set(entries.filter((entry) => isEName(entry)));
}
