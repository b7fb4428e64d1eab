import type { MigrationSource } from "@dataspace/service-kit/postgres/migrations";

/** The vault's migrations, for code that opens the database. Source: decision P4. */
export const vaultMigrations: MigrationSource = {
  service: "vault",
  directory: new URL("./store/migrations/", import.meta.url),
};
