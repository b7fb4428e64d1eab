import { z } from "zod";
import type { ServiceStorage } from "./service-database.ts";

/** Long enough for a load balancer that asks /readyz every half second. */
const DRAIN_SECONDS_IN_PRODUCTION = 1;

const COLLECTOR =
  "The address of an OpenTelemetry collector (OTLP over HTTP), such as `http://127.0.0.1:4318`. Without it there are no traces.";

/** The settings for the storage, the stop and the traces of a service that runs alone. Source: decisions P4, P5, P7; settings table. */
export const storageSettings: {
  readonly NODE_ENV: z.ZodType<string | undefined>;
  readonly DATABASE_URL: z.ZodType<string | undefined>;
  readonly DS_DATA_DIR: z.ZodType<string | undefined>;
  readonly DS_DRAIN_SECONDS: z.ZodType<number | undefined>;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: z.ZodType<string | undefined>;
} = {
  NODE_ENV: z
    .string()
    .optional()
    .describe(
      "`production` makes the start strict: addresses must be https, keys must be set, and migrations must be applied.",
    ),
  DATABASE_URL: z
    .string()
    .optional()
    .describe("The PostgreSQL of this service, version 15 or newer. Services may share a database."),
  DS_DATA_DIR: z
    .string()
    .optional()
    .describe("The directory of an embedded PostgreSQL, where `DATABASE_URL` is not set."),
  DS_DRAIN_SECONDS: z
    .string()
    .regex(/^(?:[0-9]|10)$/, "must be a whole number of seconds from 0 to 10")
    .transform(Number)
    .optional()
    .describe(
      "Seconds for which `/readyz` answers 503 before the process stops, 0 to 10. Default: 1 in production, otherwise 0.",
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .refine(isCollectorAddress, "must be an http or https address without user name, query and fragment")
    .optional()
    .describe(COLLECTOR),
};

function isCollectorAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) return false;
  return url.username === "" && url.password === "" && !text.includes("?") && !text.includes("#");
}

/** Finds that no storage is set; the fault is listed with the others. Refuses: never. Source: decision P5. */
export function findMissingStorage(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const names = ["DATABASE_URL", "DATABASE_URL_FILE", "DS_DATA_DIR", "DS_DATA_DIR_FILE"];
  if (names.some((name) => env[name])) return [];
  return [
    "DATABASE_URL: is required, but it is not set; or set DS_DATA_DIR for an embedded PostgreSQL of this service alone",
  ];
}

/** The storage that the settings describe, how long a stop is announced, and where traces go. Refuses: never. */
export function toServiceStorage(settings: z.infer<z.ZodObject<typeof storageSettings>>): ServiceStorage {
  const production = settings.NODE_ENV === "production";
  return {
    drainSeconds: settings.DS_DRAIN_SECONDS ?? (production ? DRAIN_SECONDS_IN_PRODUCTION : 0),
    databaseUrl: settings.DATABASE_URL,
    dataDirectory: settings.DS_DATA_DIR,
    production,
    tracesTo: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
  };
}
