import { z } from "zod";
import { baseUrlSetting } from "./setting-types.ts";

/** Reads a comma-separated list of base addresses, such as those of authorities; none by default. Source: decision A1. */
export function originsSetting(): z.ZodType<readonly string[]> {
  return z
    .string()
    .default("")
    .transform((text) => text.split(",").map((entry) => entry.trim()))
    .transform((entries) => entries.filter((entry) => entry !== ""))
    .pipe(z.array(baseUrlSetting()));
}
