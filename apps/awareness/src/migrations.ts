import type { MigrationSource } from "@dataspace/service-kit/postgres/migrations";

/** The awareness service's migrations, for code that opens the database. Source: decision P4. */
export const awarenessMigrations: MigrationSource = {
  service: "awareness",
  directory: new URL("./store/migrations/", import.meta.url),
};
