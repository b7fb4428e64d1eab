import { openDataDirectory } from "@dataspace/service-kit/storage/data-directory";
import { openStorage } from "@dataspace/service-kit/storage/storage";
import { DataSource } from "typeorm";
import type { Environment, PlatformConfig } from "@dataspace/social-app/platform-config";
import { ENTITIES } from "./entities.ts";

const CHECKOUT = `${import.meta.dirname}/../../..`;
const MOST_CONNECTIONS = 10;

/**
 * Opens PostgreSQL: the one behind PLAZA_DATABASE_URL, otherwise an embedded one in the platform's directory. TypeORM makes the tables; a
 * platform whose tables change later needs migrations instead.
 *
 * Refuses: StartupError 75 and 78; the driver's errors.
 */
export async function openDatabase(
  opened: AsyncDisposableStack,
  env: Environment,
  { directory }: PlatformConfig,
): Promise<DataSource> {
  const report = (): void => {};
  const dataDirectory = opened.use(await openDataDirectory(directory, { report })).path;
  const databaseUrl = env["PLAZA_DATABASE_URL"] || undefined;
  const place = { databaseUrl, dataDirectory, checkoutDirectory: CHECKOUT, report, production: false };
  const { url } = opened.use(await openStorage(place));
  const options = { type: "postgres", url, entities: ENTITIES, synchronize: true, poolSize: MOST_CONNECTIONS } as const;
  const source = await new DataSource(options).initialize();
  opened.defer(() => source.destroy());
  return source;
}
