import { showSetting } from "./secret-settings.ts";
import { collectSettingValues, type SettingTexts } from "./setting-values.ts";
import type { z } from "zod";

/** One setting as a service uses it. `value` is null where it is not set and has no default; secrets are masked. */
export interface EffectiveSetting {
  readonly name: string;
  readonly value: string | null;
  readonly source: "environment" | "file" | "default" | "unset";
}

/**
 * Lists the settings of a shape as a service uses them, in the order of the shape.
 *
 * In: the same shape and environment as `readSettings`. Refuses: never; a faulty value is shown as it is. Source:
 * decisions P5, P7.
 */
export function listEffectiveSettings(shape: z.ZodRawShape, env: SettingTexts): readonly EffectiveSetting[] {
  const { values, sources } = collectSettingValues(Object.keys(shape), env);
  return Object.entries(shape).map(([name, schema]) => {
    const text = values[name];
    if (text !== undefined) return { name, value: showSetting(name, text), source: sources[name] ?? "environment" };
    const fallback = showDefault((schema as z.ZodType).safeParse(undefined).data);
    return { name, value: fallback, source: fallback === null ? "unset" : "default" };
  });
}

function showDefault(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (["string", "number", "boolean"].includes(typeof value)) return String(value);
  if (Array.isArray(value) || value instanceof Set) return [...value].join(",") || null;
  return null;
}
