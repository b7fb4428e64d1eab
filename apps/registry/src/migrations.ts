import type { MigrationSource } from "@dataspace/service-kit/migrations";

/** The registry's tables, for whoever opens the database. */
export const registryMigrations: MigrationSource = {
  service: "registry",
  directory: new URL("./migrations/", import.meta.url),
};
