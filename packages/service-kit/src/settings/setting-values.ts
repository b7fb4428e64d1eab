import { readFileSync } from "node:fs";

/** Settings by name, as the environment gives them. */
export type SettingTexts = Readonly<Record<string, string | undefined>>;

/** The texts of settings, where each comes from, and the faults in finding them, all by name. */
export interface SettingValues {
  readonly values: Record<string, string | undefined>;
  readonly sources: Record<string, "environment" | "file">;
  readonly faults: Record<string, string>;
}

/** Ends the name of the setting that names a file with the value. */
export const FILE_SUFFIX = "_FILE";

/**
 * Finds the text of each setting: the environment's, or the content of the file that `NAME_FILE` names. An empty text
 * counts as absent.
 *
 * Refuses: never; a file that cannot be read is a fault. Source: decision P5.
 */
export function collectSettingValues(names: readonly string[], env: SettingTexts): SettingValues {
  const values: SettingValues["values"] = {};
  const sources: SettingValues["sources"] = {};
  const faults: SettingValues["faults"] = {};
  for (const name of names) {
    values[name] = env[name] || undefined;
    if (values[name] !== undefined) sources[name] = "environment";
    const path = env[name + FILE_SUFFIX];
    if (!path) continue;
    if (values[name] !== undefined) {
      faults[name] = `is set, and ${name}${FILE_SUFFIX} too: set only one of the two`;
      continue;
    }
    try {
      values[name] = readFileSync(path, "utf8").replace(/\r?\n$/, "") || undefined;
      sources[name] = "file";
    } catch (error) {
      faults[name] =
        `the file named by ${name}${FILE_SUFFIX} cannot be read (${(error as NodeJS.ErrnoException).code})`;
    }
  }
  return { values, sources, faults };
}
