import { openDatabase } from "@dataspace/service-kit/postgres/database";
import { addressWithoutUser, askServer, assertFitServer } from "@dataspace/service-kit/postgres/database-url";
import { assertMigrated } from "@dataspace/service-kit/postgres/migrations";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { findRecordedStorage } from "@dataspace/service-kit/storage/storage-record";
import { type Finding, fault, ok, skipped } from "./finding.ts";
import type { Patient } from "./patient.ts";

const ASK_MS = 3_000;
const LIMITS = { maxConnections: 2, statementTimeoutMs: ASK_MS, connectTimeoutMs: ASK_MS };

/** Checks that the database answers, admits its user, is fit, and has exactly the migrations of this build. */
export async function checkDatabase(patient: Patient): Promise<readonly Finding[]> {
  const { DATABASE_URL: configured, DS_DATA_DIR: directory } = patient.values;
  const url = configured ?? (directory === undefined ? undefined : findRecordedStorage(directory));
  if (url === undefined) return [skipped("database", "No DATABASE_URL is set, and no embedded PostgreSQL is running.")];
  try {
    const answer = await askServer(url, ASK_MS);
    if ("silence" in answer) {
      const where = addressWithoutUser(url);
      return [
        fault(
          "database",
          `No PostgreSQL answers at ${where} (${answer.silence}).`,
          "Start it, or correct DATABASE_URL and the network between.",
        ),
      ];
    }
    assertFitServer(answer.facts, patient.env["NODE_ENV"] === "production");
    return [ok("database", `PostgreSQL ${answer.facts.version} answers.`), ...(await checkSchemas(patient, url))];
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return [fault("database", error.message, "Correct DATABASE_URL, or the server that it names.")];
  }
}

async function checkSchemas({ services }: Patient, url: string): Promise<readonly Finding[]> {
  await using database = openDatabase({ url, applicationName: "dataspace-doctor", ...LIMITS }, () => undefined);
  const findings: Finding[] = [];
  for (const source of services.flatMap(({ migrations }) => migrations)) {
    try {
      await assertMigrated(database, source);
      findings.push(ok("schema", `The tables of ${source.service} match this build.`));
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      const isNewer = error.message.includes("newer");
      const fix = isNewer ? "Start the newer build." : `Run: dataspace migrate ${source.service}`;
      findings.push(fault("schema", error.message, fix));
    }
  }
  return findings;
}
