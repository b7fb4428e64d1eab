import { access, constants, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { ADMIN_OFFSET } from "@dataspace/service-kit/http/listen";
import { DISK_FLOOR_BYTES } from "@dataspace/service-kit/monitoring/disk-space";
import { parseFilesLocation } from "@dataspace/vault/files-settings";
import { type Finding, fault, ok, skipped } from "./finding.ts";
import { type Instruments, isExamined, type Patient } from "./patient.ts";

/** Type stripping and the embedded SQLite of the data directory's lock need it. */
const OLDEST_NODE = 26;
const ANSWER_MS = 2_000;
const MIB = 1_048_576;

/** Checks this machine: the version of Node, free ports, free disk space, and that files can be written. */
export async function checkMachine(patient: Patient, instruments: Instruments): Promise<readonly Finding[]> {
  return [
    checkNode(instruments),
    ...(await Promise.all(patient.services.map((service) => checkPort(patient, service, instruments)))),
    ...checkDisk(patient, instruments),
    await checkFiles(patient),
  ];
}

function checkNode({ nodeVersion }: Instruments): Finding {
  const major = Number(nodeVersion.split(".")[0]);
  if (major >= OLDEST_NODE) return ok("node", `Node.js ${nodeVersion}.`);
  return fault("node", `Node.js ${nodeVersion} is too old.`, `Install Node.js ${OLDEST_NODE} or newer.`);
}

async function checkPort(
  { env }: Patient,
  service: Patient["services"][number],
  { fetch }: Instruments,
): Promise<Finding> {
  const { name, portSetting } = service;
  const address = readAddress(() => service.read(env));
  if (address === undefined || address.port === 0) return skipped("port", `The port of ${name} is not known.`);
  const { host, port } = address;
  const admin = port + ADMIN_OFFSET;
  const refused = (await tryPort(port, host)) ?? (await tryPort(admin, "127.0.0.1"));
  if (refused === undefined)
    return ok("port", `${portSetting}: ${port} and ${admin} are free; ${name} is not running.`);
  if (refused.code !== "EADDRINUSE") {
    const message = `${portSetting}: port ${refused.port} cannot be used (${refused.code}).`;
    return fault("port", message, `Set ${portSetting} and DS_HOST to what this user may listen on.`);
  }
  const answer = await fetch(`http://127.0.0.1:${admin}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) })
    .then(async (response) => ({ status: response.status, body: await response.text() }))
    .catch(() => undefined);
  if (answer?.status === 200) return ok("port", `${name} runs at ${port} and is ready.`);
  if (answer?.status === 503) {
    return fault("port", `${name} runs at ${port} and is not ready: ${answer.body}`, "Fix what the answer names.");
  }
  return fault(
    "port",
    `${portSetting}: port ${refused.port} is taken by another program.`,
    `Stop that program, or set ${portSetting} to a free port.`,
  );
}

function readAddress(read: () => { readonly host: string; readonly port: number }) {
  try {
    return read();
  } catch {
    return undefined; // The check of the settings lists the faults.
  }
}

/** Out: undefined for a port that is free, or the system's code for one that is not. */
async function tryPort(
  port: number,
  host: string,
): Promise<{ readonly port: number; readonly code: string } | undefined> {
  const server = createServer();
  const code = await new Promise<string | undefined>((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => resolve(undefined));
  });
  await new Promise((closed) => server.close(closed));
  return code === undefined ? undefined : { port, code };
}

function checkDisk(patient: Patient, { freeBytes }: Instruments): readonly Finding[] {
  const { DS_DATA_DIR: data } = patient.values;
  const directories = new Set([data, findNamedDirectory(patient)].filter((path) => path !== undefined));
  return [...directories].map((directory) => {
    try {
      const free = freeBytes(directory);
      const message = `${Math.floor(free / MIB)} MB are free at ${directory}.`;
      if (free >= DISK_FLOOR_BYTES) return ok("disk", message);
      return fault("disk", message, `Free at least ${DISK_FLOOR_BYTES / MIB} MB there.`);
    } catch {
      return skipped("disk", `${directory} does not exist yet.`);
    }
  });
}

async function checkFiles(patient: Patient): Promise<Finding> {
  const { DS_DATA_DIR: data, DS_FILES: files } = patient.values;
  const inData = data === undefined || files !== undefined ? undefined : join(data, "files");
  const directory = findNamedDirectory(patient) ?? inData;
  if (!isExamined(patient, "vault") || directory === undefined) return skipped("files", "No directory stores files.");
  const code = await findObstacle(directory);
  if (code === undefined) return ok("files", `Files can be written in ${directory}.`);
  return fault(
    "files",
    `Files cannot be written in ${directory} (${code}).`,
    "Set DS_FILES to a directory that the service's user may write.",
  );
}

function findNamedDirectory({ values }: Patient): string | undefined {
  const location = parseFilesLocation(values["DS_FILES"] ?? "s3:");
  return location?.kind === "directory" ? location.path : undefined;
}

/**
 * Looks, without writing, whether this user may write in a directory, or create it where it is missing.
 *
 * Out: the system's code where it may not.
 */
async function findObstacle(directory: string): Promise<string | undefined> {
  try {
    if (!(await stat(directory)).isDirectory()) return "ENOTDIR";
    await access(directory, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    const above = dirname(directory);
    return code === "ENOENT" && above !== directory ? findObstacle(above) : code;
  }
}
