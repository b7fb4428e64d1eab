import { baseUrlSetting } from "@dataspace/service-kit/settings/setting-types";
import { readSettings } from "@dataspace/service-kit/settings/settings";
import { z } from "zod";
import type { AwarenessApi } from "./awareness-api.ts";

/** Reads where the awareness service is. Refuses: StartupError 78 for a text that is not an address. */
export function readAwarenessApi(env: Readonly<Record<string, string | undefined>>): AwarenessApi {
  const shape = {
    DS_AWARENESS_URL: baseUrlSetting().default("http://127.0.0.1:4100"),
    DS_AWARENESS_API_KEY: z.string().optional(),
  };
  const { DS_AWARENESS_URL: url, DS_AWARENESS_API_KEY: apiKey } = readSettings(shape, env);
  return { url, apiKey };
}
