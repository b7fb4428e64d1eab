import { z } from "zod";
import { StartupError } from "../startup-error.ts";
import { collectSettingValues, type SettingTexts as Environment, FILE_SUFFIX } from "./setting-values.ts";

/**
 * Reads and checks all settings of a service at once.
 *
 * In: `shape`, one schema per setting's name (most come from `setting-types.ts`). In the environment an empty text
 * counts as absent, and `NAME_FILE` may name a file with the value of `NAME`. Faults found elsewhere, such as those of
 * `unknownSettings`, are listed too.
 * Refuses: one StartupError (78) that lists every fault, each with its setting's name and never with a secret.
 * Source: decision P5.
 */
export function readSettings<Shape extends z.ZodRawShape>(
  shape: Shape,
  env: Environment,
  otherFaults: readonly string[] = [],
): z.infer<z.ZodObject<Shape>> {
  const { values, faults } = collectSettingValues(Object.keys(shape), env);
  const parsed = z.object(shape).safeParse(values);
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0]);
    if (name in faults) continue;
    faults[name] = values[name] === undefined ? "is required, but it is not set" : issue.message;
  }
  const all = [...Object.entries(faults).map(([name, fault]) => `${name}: ${fault}`), ...otherFaults];
  if (all.length > 0 || !parsed.success) throw settingsError(all);
  return parsed.data;
}

/** The text that reports faults in settings: all of them, each beginning with the setting's name. */
export function settingsError(faults: readonly string[]): StartupError {
  const head = faults.length === 1 ? "A setting is wrong:" : `${faults.length} settings are wrong:`;
  return new StartupError([head, ...faults.map((fault) => `  ${fault}`)].join("\n"));
}

/**
 * Finds names that begin with `DS_` and that no service knows: probably typing errors, which must not pass silently.
 *
 * Out: one fault per name, with the nearest known name where one is close. Refuses: never.
 */
export function unknownSettings(env: Environment, knownNames: readonly string[]): string[] {
  const known = new Set(knownNames.flatMap((name) => [name, `${name}${FILE_SUFFIX}`]));
  const unknown = Object.keys(env).filter((name) => name.startsWith("DS_") && !known.has(name));
  return unknown.sort().map((name) => {
    const nearest = findNearest(name, [...known]);
    return `${name}: there is no such setting${nearest === undefined ? "" : `; did you mean ${nearest}?`}`;
  });
}

function findNearest(name: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= Math.max(2, Math.floor(name.length / 4)) ? best.candidate : undefined;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, substitution));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
