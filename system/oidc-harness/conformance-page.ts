import { DEVIATIONS } from "./deviations.ts";
import type { HarnessModule, Outcome } from "./harness-module.ts";
import { MODULES } from "./modules.ts";
import { MUTANTS } from "./mutants/mutants.ts";
import type { Results } from "./run-modules.ts";

/** The page that publishes what the harness found. */
export const CONFORMANCE_PAGE: URL = new URL("../../docs/login-conformance.md", import.meta.url);

/** Writes the page. In: what each module gave for ours and for the stock provider. Refuses: never. Source: decision L3. */
export function toConformancePage(ours: Results, stock: Results): string {
  const plans = [...new Set(MODULES.map(({ plan }) => plan))];
  return `${HEAD}
${toCounts(ours, stock)}

## Deviations

The connector differs from the certification profiles in these ways alone. A module that fails for another reason fails the build.

| Deviation | Source | Modules that fail |
|---|---|---|
${DEVIATIONS.map(({ says, source, modules }) => `| ${says} | ${source} | ${modules.join("<br>") || "none"} |`).join("\n")}

${plans.map((plan) => toPlanTable(plan, ours, stock)).join("\n\n")}

## Mutants

Each row is the connector with one fault, made by a proxy in front of it or by its settings. The harness has to notice every one.

| The mutant | Noticed by |
|---|---|
${MUTANTS.map(({ does, caughtBy }) => `| ${does} | ${caughtBy.join("<br>")} |`).join("\n")}
`;
}

const HEAD = `<!-- Made by \`npm run harness -- --write\`; a test compares it. -->

# Conformance of the login connector

This page accounts for every module of the OpenID Foundation's Basic OP and Config OP test plans, and for the modules of its FAPI 2.0 plan
about PKCE and authorization codes. This project's own modules are in \`system/oidc-harness\` and speak HTTP only. The connector does not
claim certification.

The control is a stock \`oidc-provider\` with its own login pages, sessions and RS256. It shows that the modules that fail here can pass.
`;

function toCounts(ours: Results, stock: Results): string {
  const kinds = ["passed", "warning", "skipped", "failed"] as const;
  const row = (name: string, results: Results): string => {
    const counts = kinds.map((kind) => [...results.values()].filter((outcome) => outcome.kind === kind).length);
    return `| ${name} | ${counts.join(" | ")} |`;
  };
  return `| Provider | passed | warning | skipped | failed |
|---|---|---|---|---|
${row("the connector", ours)}
${row("the control", stock)}`;
}

function toPlanTable(plan: HarnessModule["plan"], ours: Results, stock: Results): string {
  const rows = MODULES.filter((module) => module.plan === plan).map(
    ({ name, checks }) => `| \`${name}\` | ${checks} | ${toCell(ours.get(name))} | ${stock.get(name)?.kind} |`,
  );
  return `## ${plan}

| Module | Checks | The connector | The control |
|---|---|---|---|
${rows.join("\n")}`;
}

function toCell(outcome: Outcome | undefined): string {
  if (outcome === undefined) return "not run";
  if (outcome.kind === "passed") return "passed";
  return outcome.kind === "failed" ? "**fails by design**" : `${outcome.kind}: ${outcome.text}`;
}
