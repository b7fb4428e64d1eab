import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { ADMIN_OFFSET } from "@dataspace/service-kit/http/listen";
import { DISK_FLOOR_BYTES } from "@dataspace/service-kit/monitoring/disk-space";
import { type Finding, fault, ok, skipped } from "./finding.ts";
import { type Instruments, isExamined, type Patient } from "./patient.ts";

const OLDEST_NODE = 20;
const ANSWER_MS = 2_000;
const MIB = 1_048_576;

/** Checks this machine: the version of Node, free ports, free disk space, and that files can be written. */
export async function checkMachine(patient: Patient, instruments: Instruments): Promise<readonly Finding[]> {
  return [
    checkNode(),
    ...(await Promise.all(patient.services.map((service) => checkPort(patient, service, instruments)))),
    ...checkDisk(patient, instruments),
    await checkFiles(patient),
  ];
}

function checkNode(): Finding {
  const major = Number(process.versions.node.split(".")[0]);
  if (major >= OLDEST_NODE) return ok("node", `Node.js ${process.versions.node}.`);
  return fault("node", `Node.js ${process.versions.node} is too old.`, `Install Node.js ${OLDEST_NODE} or newer.`);
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
  const taken = (await isTaken(port, host)) ? port : (await isTaken(admin, "127.0.0.1")) ? admin : undefined;
  if (taken === undefined) return ok("port", `${portSetting}: ${port} and ${admin} are free; ${name} is not running.`);
  const answer = await fetch(`http://127.0.0.1:${admin}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) })
    .then(async (response) => ({ status: response.status, body: await response.text() }))
    .catch(() => undefined);
  if (answer?.status === 200) return ok("port", `${name} runs at ${port} and is ready.`);
  if (answer?.status === 503) {
    return fault("port", `${name} runs at ${port} and is not ready: ${answer.body}`, "Fix what the answer names.");
  }
  return fault(
    "port",
    `${portSetting}: port ${taken} is taken by another program.`,
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

async function isTaken(port: number, host: string): Promise<boolean> {
  const server = createServer();
  const listens = await new Promise<boolean>((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code !== "EADDRINUSE"));
    server.listen(port, host, () => resolve(true));
  });
  await new Promise((closed) => server.close(closed));
  return !listens;
}

function checkDisk(patient: Patient, { freeBytes }: Instruments): readonly Finding[] {
  const { DS_DATA_DIR: data, DS_FILES: files } = patient.values;
  const directories = [data, isDirectory(files) ? files : undefined].filter((path) => path !== undefined);
  return directories.map((directory) => {
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
  const directory = isDirectory(files) ? files : data === undefined ? undefined : join(data, "files");
  if (!isExamined(patient, "vault") || directory === undefined) return skipped("files", "No directory stores files.");
  const probe = join(directory, `.doctor-${process.pid}`);
  try {
    await mkdir(dirname(probe), { recursive: true, mode: 0o700 });
    await writeFile(probe, "");
    await rm(probe);
    return ok("files", `Files can be written in ${directory}.`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return fault(
      "files",
      `Files cannot be written in ${directory} (${code}).`,
      "Set DS_FILES to a directory that the service's user may write.",
    );
  }
}

function isDirectory(files: string | undefined): files is string {
  return files !== undefined && !/^[a-z0-9]+:/i.test(files);
}
