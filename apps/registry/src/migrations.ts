import type { MigrationSource } from "@dataspace/service-kit/postgres/migrations";

/** The registry's tables, for whoever opens the database. */
export const registryMigrations: MigrationSource = {
  service: "registry",
  directory: new URL("./migrations/", import.meta.url),
};
