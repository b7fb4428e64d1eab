import type { MigrationSource } from "@dataspace/service-kit/postgres/migrations";

/** The login connector's tables, for whoever opens the database. Source: S2 "Operation"; decision P4. */
export const loginMigrations: MigrationSource = {
  service: "login",
  directory: new URL("./migrations/", import.meta.url),
};
