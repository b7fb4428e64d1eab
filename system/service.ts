import type { Clock } from "@dataspace/service-kit/clock";
import type { CrossOriginPolicy } from "@dataspace/service-kit/http/cross-origin";
import type { createHttpServer } from "@dataspace/service-kit/http/http-server";
import type { Log } from "@dataspace/service-kit/log";
import type { Metrics } from "@dataspace/service-kit/monitoring/metrics";
import type { Database, DatabaseConfig } from "@dataspace/service-kit/postgres/database";
import type { MigrationSource } from "@dataspace/service-kit/postgres/migrations";
import type { readSettings } from "@dataspace/service-kit/settings/settings";
import type { Tracer } from "@dataspace/service-kit/tracing/tracer";
import type { SecretKind } from "./stored-secrets.ts";

/** Settings by name, as the environment gives them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One service of the constellation: its name, its needs, and how to load it. */
export interface ServiceRecipe {
  readonly name: string;
  /** Its purpose, as shown in the table of `npm start`. */
  readonly purpose: string;
  readonly portSetting: string;
  readonly urlSetting: string;
  readonly defaultPort: number;
  /** Every setting of the service, by name. */
  readonly settings: Parameters<typeof readSettings>[0];
  /** The development stack's defaults. */
  readonly developmentDefaults: Readonly<Record<string, string>>;
  /** Further defaults while it listens on loopback only. */
  readonly loopbackDefaults: Readonly<Record<string, string>>;
  /** Secrets that the development stack creates once and stores. */
  readonly storedSecrets: Readonly<Record<string, SecretKind>>;
  /** Loads the service's code, the slowest part of a start. */
  readonly load: () => Promise<LoadedService>;
}

/** A service whose code is there. */
export interface LoadedService {
  readonly migrations: readonly MigrationSource[];
  readonly build: (deps: ServiceDeps) => Promise<BuiltService>;
}

/** What a service of the constellation receives: a connection pool, and the addresses of the others in `env`. */
export interface ServiceDeps {
  /** Complete and current: an address is there as soon as its service listens. */
  readonly env: Environment;
  readonly database: Database;
  /** How a thread of the service opens the same database; undefined where the database is watched. */
  readonly databaseConfig: DatabaseConfig | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** For work that no request causes; undefined without a collector. */
  readonly tracer?: Tracer | undefined;
  readonly cors: CrossOriginPolicy;
}

/** A service that is ready to listen. */
export interface BuiltService {
  readonly app: ReturnType<typeof createHttpServer>;
  readonly host: string;
  readonly port: number;
  /** What to do once it listens. */
  readonly afterListening?: () => Promise<void>;
}
