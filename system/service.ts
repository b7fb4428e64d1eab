import type { Clock } from "@dataspace/service-kit/clock";
import type { CrossOriginPolicy } from "@dataspace/service-kit/http/cross-origin";
import type { createHttpServer } from "@dataspace/service-kit/http/http-server";
import type { Log } from "@dataspace/service-kit/log";
import type { Metrics } from "@dataspace/service-kit/monitoring/metrics";
import type { Database, DatabaseConfig } from "@dataspace/service-kit/postgres/database";
import type { MigrationSource } from "@dataspace/service-kit/postgres/migrations";
import type { readSettings } from "@dataspace/service-kit/settings/settings";
import type { SecretKind } from "./kept-secrets.ts";

/** Settings by name, as the environment gives them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One service of the constellation: what it is called, what it needs, and how it is loaded. */
export interface ServiceRecipe {
  readonly name: string;
  /** What it is for, in the words of the table that `npm start` prints. */
  readonly purpose: string;
  readonly portSetting: string;
  readonly urlSetting: string;
  readonly defaultPort: number;
  /** Every setting of the service, by name. */
  readonly settings: Parameters<typeof readSettings>[0];
  /** What the development stack sets where the environment says nothing. */
  readonly developmentDefaults: Readonly<Record<string, string>>;
  /** What it sets beside that while it listens on loopback alone. */
  readonly loopbackDefaults: Readonly<Record<string, string>>;
  /** Secrets that the development stack makes once and keeps. */
  readonly keptSecrets: Readonly<Record<string, SecretKind>>;
  /** Loads the service's code, which takes longer than anything else at the start. */
  readonly load: () => Promise<LoadedService>;
}

/** A service whose code is there. */
export interface LoadedService {
  readonly migrations: readonly MigrationSource[];
  readonly build: (deps: ServiceDeps) => Promise<BuiltService>;
}

/** What a service of the constellation is given: a pool of its own, and the addresses of the others in `env`. */
export interface ServiceDeps {
  /** Complete and current: an address is there as soon as its service listens. */
  readonly env: Environment;
  readonly database: Database;
  /** How a thread of the service's opens the same database; undefined where all that is done with it is watched. */
  readonly databaseConfig: DatabaseConfig | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly cors: CrossOriginPolicy;
}

/** A service that is ready to listen. */
export interface BuiltService {
  readonly app: ReturnType<typeof createHttpServer>;
  readonly host: string;
  readonly port: number;
  /** What is left to do once it can be reached. */
  readonly afterListening?: () => Promise<void>;
}
