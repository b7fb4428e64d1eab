import { showAddress } from "@dataspace/service-kit/settings/secret-settings";
import { type Finding, fault, ok, skipped } from "./finding.ts";
import { hasSetting, type Instruments, isExamined, type Patient } from "./patient.ts";

const ANSWER_MS = 3_000;
const MOST_SKEW_MS = 30_000;
const UNAUTHORISED = 401;
/** A holder of the secret is refused for the empty body only. Any other answer may come before the secret is looked at. */
const ACCEPTED: ReadonlySet<number> = new Set([400, 422]);

/** A secret that two parties share: its setting, and the request that only its holder may make. It changes nothing. */
const SHARED = [
  { setting: "DS_INGEST_SECRET", at: "DS_AWARENESS_URL", path: "/ingest", from: ["vault"] },
  { setting: "REGISTRY_SHARED_SECRET", at: "DS_REGISTRY_URL", path: "/register", from: ["vault", "provisioner"] },
] as const;

/** Where each service publishes the public part of its signing key. */
const PUBLISHED = [
  { service: "registry", setting: "REGISTRY_SIGNING_KEY_JWK", at: "DS_REGISTRY_URL", path: "/.well-known/jwks.json" },
  {
    service: "authority",
    setting: "DS_AUTHORITY_SIGNING_KEY_JWK",
    at: "DS_AUTHORITY_URL",
    path: "/.well-known/jwks.json",
  },
  { service: "login", setting: "DS_OIDC_SIGNING_KEY_JWK", at: "DS_OIDC_ISSUER", path: "/jwks" },
  {
    service: "awareness",
    setting: "DS_AWARENESS_SIGNING_KEY_JWK",
    at: "DS_AWARENESS_URL",
    path: "/.well-known/webhook-keys",
  },
] as const;

/** Checks the other parties: the registry, its clock, published keys, shared secrets and the issuer. */
export async function checkParties(patient: Patient, instruments: Instruments): Promise<readonly Finding[]> {
  const parts = await Promise.all([
    checkRegistry(patient, instruments),
    ...SHARED.map((shared) => checkShared(patient, instruments, shared)),
    ...PUBLISHED.map((published) => checkKey(patient, instruments, published)),
    checkIssuer(patient, instruments),
  ]);
  return parts.flat();
}

async function checkRegistry(patient: Patient, { fetch, nowMs }: Instruments): Promise<readonly Finding[]> {
  const url = patient.values["DS_REGISTRY_URL"];
  if (url === undefined || !hasSetting(patient, "DS_REGISTRY_URL")) return [];
  const shown = showAddress(url);
  const answer = await ask(fetch, `${url}/.well-known/jwks.json`);
  if (typeof answer === "string" || answer.status !== 200 || readKeys(answer.body) === undefined) {
    const why = typeof answer === "string" ? answer : `it answered ${answer.status} without a key set`;
    const fix = "Start the registry, or correct DS_REGISTRY_URL and the network between.";
    return [fault("registry", `The registry at ${shown} is not reachable: ${why}.`, fix)];
  }
  return [ok("registry", `The registry answers at ${shown}.`), compareClocks(answer.date, nowMs())];
}

function compareClocks(date: string | null, nowMs: number): Finding {
  const theirs = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(theirs)) return skipped("clock", "The registry's answer has no date.");
  const skewSeconds = Math.round(Math.abs(theirs - nowMs) / 1_000);
  if (skewSeconds * 1_000 <= MOST_SKEW_MS) return ok("clock", "This clock and the registry's agree.");
  const fix = "Synchronise both machines by NTP; tokens and certificates are refused meanwhile.";
  return fault("clock", `This clock differs from the registry's by ${skewSeconds} s.`, fix);
}

async function checkShared(
  patient: Patient,
  { fetch }: Instruments,
  { setting, at, path, from }: (typeof SHARED)[number],
): Promise<readonly Finding[]> {
  const [secret, url] = [patient.values[setting], patient.values[at]];
  if (secret === undefined || url === undefined || !from.some((name) => isExamined(patient, name))) return [];
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const answer = await ask(fetch, url + path, { method: "POST", headers, body: "{}" });
  if (typeof answer === "string") return [skipped("secret", `${setting} could not be compared: ${answer}.`)];
  const shown = showAddress(url);
  if (ACCEPTED.has(answer.status)) return [ok("secret", `${setting} is the one that ${shown} expects.`)];
  if (answer.status !== UNAUTHORISED) {
    const why = `${shown}${path} answered ${answer.status}, which says nothing about the secret`;
    return [skipped("secret", `${setting} could not be compared: ${why}.`)];
  }
  const fix = `Give both services the same ${setting}.`;
  return [fault("secret", `${setting} is not the one that ${shown} expects.`, fix)];
}

async function checkKey(
  patient: Patient,
  { fetch }: Instruments,
  { service, setting, at, path }: (typeof PUBLISHED)[number],
): Promise<readonly Finding[]> {
  const [key, url] = [patient.values[setting], patient.values[at]];
  if (key === undefined || url === undefined || !isExamined(patient, service)) return [];
  const shown = showAddress(url);
  const answer = await ask(fetch, url + path);
  if (typeof answer === "string" || answer.status !== 200) {
    return [skipped("keys", `${setting} could not be compared: ${shown} does not publish keys now.`)];
  }
  const own = publicPart(key);
  if (own !== undefined && readKeys(answer.body)?.some((published) => published?.x === own)) {
    return [ok("keys", `${shown} publishes the public part of ${setting}.`)];
  }
  const fix = `Restart ${service} with ${setting}, or correct ${at}: another service may answer there.`;
  return [fault("keys", `${shown}${path} does not publish the public part of ${setting}.`, fix)];
}

function readKeys(body: string): readonly ({ readonly x?: unknown } | null)[] | undefined {
  try {
    const { keys } = JSON.parse(body) as { readonly keys?: readonly ({ readonly x?: unknown } | null)[] };
    return Array.isArray(keys) ? keys : undefined;
  } catch {
    return undefined;
  }
}

function publicPart(text: string): string | undefined {
  try {
    const parsed = JSON.parse(text) as { readonly keys?: readonly { readonly x?: string }[]; readonly x?: string };
    return parsed.keys?.[0]?.x ?? parsed.x;
  } catch {
    return undefined;
  }
}

async function checkIssuer(patient: Patient, { fetch }: Instruments): Promise<readonly Finding[]> {
  const issuer = patient.values["DS_OIDC_ISSUER"];
  if (issuer === undefined || !isExamined(patient, "login")) return [];
  const shown = showAddress(issuer);
  const answer = await ask(fetch, `${issuer}/.well-known/openid-configuration`);
  if (typeof answer === "string" || answer.status !== 200) {
    return [skipped("issuer", `No login connector answers at ${shown} now.`)];
  }
  const named = readIssuer(answer.body);
  if (named === issuer) return [ok("issuer", `The connector at ${shown} names itself so.`)];
  const fix = "Set DS_OIDC_ISSUER to the public origin, letter by letter, and restart the connector.";
  return [fault("issuer", `The connector at ${shown} names the issuer ${JSON.stringify(named)}.`, fix)];
}

function readIssuer(text: string): unknown {
  try {
    return (JSON.parse(text) as { readonly issuer?: unknown }).issuer;
  } catch {
    return undefined;
  }
}

interface Answer {
  readonly status: number;
  readonly date: string | null;
  readonly body: string;
}

/** Out: the answer, or the reason why there is none. */
async function ask(request: typeof fetch, url: string, init: RequestInit = {}): Promise<Answer | string> {
  const parsed = URL.parse(url);
  // The driver's own message would repeat the password.
  if (parsed === null || parsed.username !== "" || parsed.password !== "") return "it is not a plain http address";
  try {
    const response = await request(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(ANSWER_MS) });
    return { status: response.status, date: response.headers.get("date"), body: await response.text() };
  } catch (error) {
    const { cause, message } = error as Error & {
      readonly cause?: { readonly code?: string; readonly message?: string };
    };
    return cause?.code ?? cause?.message ?? message;
  }
}
