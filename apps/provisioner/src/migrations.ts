import type { MigrationSource } from "@dataspace/service-kit/postgres/migrations";

/** The provisioner's migrations, for code that opens the database. */
export const provisionerMigrations: MigrationSource = {
  service: "provisioner",
  directory: new URL("./migrations/", import.meta.url),
};
