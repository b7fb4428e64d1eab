import { join } from "node:path";
import { readSettings } from "@dataspace/service-kit/settings/settings";
import { CHECKOUT_DIRECTORY } from "@dataspace/system/checkout";
import { vaultSettings } from "@dataspace/vault/vault-settings";
import type { Constellation } from "@dataspace/system/constellation";
import type { DemoIdentity } from "@dataspace/system/read-demo-identities";
import { renderProvision, renderSharedRecord } from "./first-steps.ts";

/** The content of the screen. `decorated`: for a person at a terminal, otherwise plain lines. */
export interface ScreenContent {
  readonly constellation: Constellation;
  readonly identities: readonly DemoIdentity[];
  readonly decorated: boolean;
}

const DEFAULT_REGISTRY_URL = "http://127.0.0.1:4321";
const DEFAULT_AWARENESS_URL = "http://127.0.0.1:4100";
const DEFAULT_VAULT_URL = "http://127.0.0.1:4000";
const SHAPE = { DS_VAULT_AUTH: vaultSettings.DS_VAULT_AUTH, DS_HOST: vaultSettings.DS_HOST };
const QUERY = "{ metaEnvelopes(first: 5) { totalCount edges { node { id ontology parsed } } } }";

/**
 * Writes what `npm start` shows once everything listens: services, data, the warning, demo people, commands to try.
 *
 * Out: lines that never contain a secret. Refuses: never. Source: decision P5 (one table of URLs).
 */
export function renderScreen(content: ScreenContent): string {
  const { constellation, identities, decorated } = content;
  const { DS_VAULT_AUTH, DS_HOST } = readSettings(SHAPE, constellation.settings);
  const trusting = DS_VAULT_AUTH === "header";
  const warning = renderWarning(trusting, DS_HOST);
  return [
    "",
    "Dataspace is running.",
    "",
    ...renderServices(constellation),
    "",
    ...renderStorage(constellation),
    "",
    ...(decorated ? drawBox(warning) : warning),
    "",
    ...renderIdentities(identities),
    "",
    ...renderCommands(content, trusting),
    "",
    "Stop with Ctrl-C; the data stay.",
    "",
  ].join("\n");
}

function renderServices({ services }: Constellation): string[] {
  const nameWidth = Math.max("Service".length, ...services.map(({ name }) => name.length)) + 3;
  const urlWidth = Math.max(...services.map(({ url }) => url.length)) + 3;
  const row = (name: string, url: string, purpose: string) =>
    `  ${name.padEnd(nameWidth)}${url.padEnd(urlWidth)}${purpose}`;
  return [row("Service", "URL", "What for"), ...services.map(({ name, url, purpose }) => row(name, url, purpose))];
}

function renderStorage({ dataDirectory, storage }: Constellation): string[] {
  const elsewhere = storage.directory !== undefined && storage.directory !== dataDirectory;
  return [
    `  Data       ${elsewhere ? storage.directory : dataDirectory}`,
    ...(elsewhere ? [`  Secrets    ${dataDirectory}`] : []),
    `  Storage    ${storage.description}`,
  ];
}

function renderWarning(trusting: boolean, host: string): string[] {
  return [
    "DEVELOPMENT STACK: for this machine alone, not for other people's data.",
    trusting
      ? "Whoever sends X-ENAME is taken for that owner (DS_VAULT_AUTH=header)."
      : "Callers prove themselves (DS_VAULT_AUTH=enforced).",
    `Everybody may make new vaults with the demo code. It listens on ${host}.`,
  ];
}

function drawBox(lines: readonly string[]): string[] {
  const width = Math.max(...lines.map((line) => line.length));
  const edge = "─".repeat(width + 2);
  return [`  ┌${edge}┐`, ...lines.map((line) => `  │ ${line.padEnd(width)} │`), `  └${edge}┘`];
}

function renderIdentities(identities: readonly DemoIdentity[]): string[] {
  return ["  Demo people", ...identities.map(({ name, ename }) => `  ${ename}   ${name}`)];
}

function renderCommands({ constellation, identities }: ScreenContent, trusting: boolean): string[] {
  const { registryUrl, vaultUrl } = constellation;
  const ename = identities[0]?.ename ?? "";
  const read = `curl -sS ${vaultUrl}/graphql -H 'X-ENAME: ${ename}' -H 'Content-Type: application/json' -d '${JSON.stringify({ query: QUERY })}'`;
  const resolve = `curl -sS '${registryUrl}/resolve?dsid=${ename}'`;
  const isUsual = registryUrl === DEFAULT_REGISTRY_URL && vaultUrl === DEFAULT_VAULT_URL;
  const where = isUsual ? "" : `DS_REGISTRY_URL=${registryUrl} DS_VAULT_URL=${vaultUrl} `;
  const commands = [
    trusting ? read : resolve,
    `curl -sS ${vaultUrl}/whois -H 'X-ENAME: ${ename}'`,
    `${where}npm run demo`,
  ];
  const page = `${vaultUrl}/graphiql?ename=${encodeURIComponent(ename)}`;
  return [
    "  Try, in another terminal",
    ...commands.map((command) => `  ${command}`),
    "  A new vault, with the development code",
    `  ${renderProvision(constellation)}`,
    ...(trusting ? renderShared({ constellation, identities }) : []),
    "  Two example platforms, each in another terminal",
    `  ${renderPlatform(constellation, "plaza")}   # http://127.0.0.1:3001`,
    `  ${renderPlatform(constellation, "corner")}  # http://127.0.0.1:3002`,
    ...(trusting ? ["", "  Or in a browser", `  ${page}`] : []),
  ];
}

function renderPlatform({ registryUrl, awarenessUrl }: Constellation, name: string): string {
  const isUsual = registryUrl === DEFAULT_REGISTRY_URL && awarenessUrl === DEFAULT_AWARENESS_URL;
  const where = isUsual ? "" : `DS_REGISTRY_URL=${registryUrl} DS_AWARENESS_URL=${awarenessUrl} `;
  return `${where}npm run ${name}`;
}

function renderShared({
  constellation,
  identities,
}: Pick<ScreenContent, "constellation" | "identities">): readonly string[] {
  const [owner, reader] = identities;
  if (owner === undefined || reader === undefined) return [];
  const { dataDirectory } = constellation;
  const isUsual = dataDirectory === join(CHECKOUT_DIRECTORY, ".dataspace");
  return renderSharedRecord(constellation, [owner, reader], isUsual ? undefined : dataDirectory);
}
