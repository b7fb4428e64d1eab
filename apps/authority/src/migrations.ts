import type { MigrationSource } from "@dataspace/service-kit/postgres/migrations";

/** The authority's tables, for whoever opens the database. */
export const authorityMigrations: MigrationSource = {
  service: "authority",
  directory: new URL("./migrations/", import.meta.url),
};
