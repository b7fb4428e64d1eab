import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Environment } from "../service.ts";
import { type Bystander, judgeBystander, startBystander } from "./bystander.ts";
import type { BystanderReport } from "./bystander-child.ts";
import { type ConstellationProcess, startConstellationProcess } from "./constellation-process.ts";
import { readErrorCodes } from "./error-codes.ts";
import type { Extent } from "./extent.ts";
import { findOperations } from "./find-operations.ts";
import { type Group, groupsOf } from "./groups.ts";
import { readState, type State, settle } from "./judge-footprint.ts";
import { judgeHolds } from "./judge-holds.ts";
import { prepareScene, type Scene } from "./scene.ts";
import type { Sending } from "./send-attacks.ts";
import { summarise } from "./summarise.ts";

/** What a run is made of. */
export interface HostileConfig {
  readonly seed: number;
  /** How the vault takes a request without a credential. */
  readonly auth: "enforced" | "header";
  readonly extent: Extent;
  /** Part of a service's or an operation's name, to attack only those; undefined: all. */
  readonly only: string | undefined;
  readonly databaseUrl: string;
  /** An empty one, for data and the log. */
  readonly directory: string;
  readonly say: (line: string) => void;
}

/** What was done, and the faults. Each fault begins with its group. */
export interface HostileReport {
  readonly operations: number;
  readonly requests: number;
  readonly faults: readonly string[];
}

interface Stage {
  readonly space: ConstellationProcess;
  readonly scene: Scene;
  readonly sending: Sending;
  readonly bystander: Bystander;
  readonly quiet: BystanderReport;
  readonly say: (line: string) => void;
}

const QUIET_MS = 2_000;
const MOST_RUNS = 3;
const FREE_PORTS = {
  DS_REGISTRY_PORT: "0",
  DS_VAULT_PORT: "0",
  DS_AWARENESS_PORT: "0",
  DS_OIDC_PORT: "0",
  DS_AUTHORITY_PORT: "0",
  DS_SANDBOX_PORT: "0",
};

/** The logins and the access token of the scene last for a whole run, and attacks may open more. */
const LASTING_LOGINS = {
  DS_OIDC_SESSION_TTL_SECONDS: "3600",
  DS_OIDC_TOKEN_TTL_SECONDS: "86400",
  DS_OIDC_PENDING_LOGINS: "100000",
  DS_OIDC_CLIENT_CREATE_LIMIT: "0",
};

/** Starts a constellation, attacks everything that it serves, group by group, and judges it after each group. */
export async function runHostile(config: HostileConfig): Promise<HostileReport> {
  await using opened = new AsyncDisposableStack();
  const secrets = { ingest: makeSecret(), registry: makeSecret(), provisioning: makeSecret() };
  const env: Environment = {
    ...FREE_PORTS,
    ...LASTING_LOGINS,
    DATABASE_URL: config.databaseUrl,
    DS_DATA_DIR: config.directory,
    DS_VAULT_AUTH: config.auth,
    DS_INGEST_SECRET: secrets.ingest,
    REGISTRY_SHARED_SECRET: secrets.registry,
    DS_PROVISIONING_TOKEN: secrets.provisioning,
  };
  const space = opened.use(await startConstellationProcess(env, join(config.directory, "constellation.log")));
  const urlOf = (name: string): string => space.services.find((service) => service.name === name)?.url ?? "";
  const at = {
    registryUrl: urlOf("registry"),
    vaultUrl: urlOf("vault"),
    awarenessUrl: urlOf("awareness"),
    authorityUrl: urlOf("authority"),
    loginUrl: urlOf("login"),
    secrets,
  };
  const scene = opened.use(await prepareScene(at));
  const { ename, key } = scene.bystander;
  const bystander = opened.use(startBystander({ vaultUrl: at.vaultUrl, ename, jwk: await key.exportJwk() }));
  const found = await findOperations(space, scene);
  const operations = found.operations.filter(isWanted(config.only));
  const services = [...new Set(operations.map(({ service }) => service))];
  const groups = groupsOf(operations, config);
  const stage = {
    space,
    scene,
    sending: { scene, codes: readErrorCodes(), atOnce: 8 },
    bystander,
    quiet: await watchQuiet(bystander),
    say: config.say,
  };
  config.say(`${config.auth}: ${operations.length} operations of ${services.length} servers, ${groups.length} groups`);
  const faults = [...found.faults];
  let requests = 0;
  for (const group of groups) {
    const outcome = await judgeGroup(stage, group);
    requests += outcome.requests;
    faults.push(...outcome.faults.map((fault) => `${group.name}: ${fault}`));
  }
  return { operations: operations.length, requests, faults: [...new Set(faults)] };
}

function isWanted(
  only: string | undefined,
): (operation: { readonly service: string; readonly name: string }) => boolean {
  return ({ service, name }) => only === undefined || service === only || name.includes(only);
}

function makeSecret(): string {
  return randomBytes(32).toString("base64url");
}

async function watchQuiet(bystander: Bystander): Promise<BystanderReport> {
  bystander.begin();
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  return bystander.end();
}

/** Runs a group. Retained resources are a fault when they grow with each of three runs. */
async function judgeGroup(
  stage: Stage,
  group: Group,
): Promise<{ readonly requests: number; readonly faults: readonly string[] }> {
  const startedMs = performance.now();
  const faults: string[] = [];
  let before = await readState(stage.space);
  let requests = 0;
  for (let time = 1; time <= MOST_RUNS; time++) {
    const ran = await runGroup(stage, group, before);
    requests += ran.requests;
    faults.push(...ran.faults);
    const isBack = ran.left.length === 0;
    if (!isBack && time === MOST_RUNS)
      faults.push(...ran.left.map((what) => `not given back, ${MOST_RUNS} times in a row: ${what}`));
    if (isBack) break;
    before = ran.state;
  }
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  stage.say(`${group.name}: ${requests} requests, ${faults.length} faults, ${seconds} s`);
  for (const fault of new Set(faults)) stage.say(`  FAULT ${fault}`);
  return { requests, faults };
}

async function runGroup(
  { space, sending, bystander, quiet }: Stage,
  group: Group,
  before: State,
): Promise<{
  readonly requests: number;
  readonly faults: readonly string[];
  readonly left: readonly string[];
  readonly state: State;
}> {
  await space.reset();
  bystander.begin();
  const { sent, faults } = await group.run(sending);
  const report = await bystander.end();
  const heldFaults = await judgeHolds(space, sent, group.atOnce);
  const { state, retained, grown } = await settle(space, before);
  return {
    requests: sent.length,
    faults: [...faults, ...summarise(sent), ...heldFaults, ...judgeBystander(report, quiet)],
    left: [...retained, ...grown],
    state,
  };
}
