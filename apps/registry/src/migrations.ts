import type { MigrationSource } from "@dataspace/service-kit/postgres/migrations";

/** The registry's migrations, for code that opens the database. */
export const registryMigrations: MigrationSource = {
  service: "registry",
  directory: new URL("./migrations/", import.meta.url),
};
