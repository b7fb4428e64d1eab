// npm run bench [-- name...] [--short] [--write]: measures the vault beside its yardsticks. See README.md.
import { writeFileSync } from "node:fs";
import { readCommandLine, refuseCommandLine } from "@dataspace/system/command-line";
import { benchAccessDecision } from "./access-decision.ts";
import { benchBackfill } from "./backfill.ts";
import { benchBacklog } from "./backlog.ts";
import { benchBulkCreate } from "./bulk-create.ts";
import { benchCreate } from "./create.ts";
import { benchCreateWithPolicy } from "./create-with-policy.ts";
import { benchDeliveries } from "./deliveries.ts";
import { benchDispatcher } from "./dispatcher.ts";
import { benchHandshakeVerification } from "./handshake-verification.ts";
import { benchHistory } from "./history.ts";
import { benchHostileSubscriber } from "./hostile-subscriber.ts";
import { benchLogin } from "./login.ts";
import { benchMapping } from "./mapping.ts";
import { benchMemoryAndDisk } from "./memory-and-disk.ts";
import { benchPage } from "./page.ts";
import { benchPageForOthers } from "./page-for-others.ts";
import { benchPageForPlatform } from "./page-for-platform.ts";
import { benchPageOfFresh } from "./page-of-fresh.ts";
import { benchPendingLogins } from "./pending-logins.ts";
import { benchReadById } from "./read-by-id.ts";
import { benchReadWithPolicy } from "./read-with-policy.ts";
import { benchScale } from "./scale.ts";
import { type BenchServer, openBenchServer } from "./support/bench-server.ts";
import { probeFsyncUs } from "./support/fsync-probe.ts";
import { startLoadProcess } from "./support/load-process.ts";
import { describeMachine, loadAverage } from "./support/machine.ts";
import type { Bench, Sizes } from "./support/measurement.ts";
import { keepsBar, reportToMarkdown } from "./support/report.ts";
import { benchVaultClient } from "./vault-client.ts";
import { benchWebhookLatency } from "./webhook-latency.ts";

const BENCHES: Readonly<Record<string, Bench>> = {
  create: benchCreate,
  "read-by-id": benchReadById,
  page: benchPage,
  "memory-and-disk": benchMemoryAndDisk,
  scale: benchScale,
  "access-decision": benchAccessDecision,
  "create-with-policy": benchCreateWithPolicy,
  "read-with-policy": benchReadWithPolicy,
  "page-for-others": benchPageForOthers,
  "page-for-platform": benchPageForPlatform,
  "page-of-fresh": benchPageOfFresh,
  "handshake-verification": benchHandshakeVerification,
  "bulk-create": benchBulkCreate,
  history: benchHistory,
  deliveries: benchDeliveries,
  backlog: benchBacklog,
  "webhook-latency": benchWebhookLatency,
  dispatcher: benchDispatcher,
  "hostile-subscriber": benchHostileSubscriber,
  mapping: benchMapping,
  backfill: benchBackfill,
  login: benchLogin,
  "pending-logins": benchPendingLogins,
  "vault-client": benchVaultClient,
};

const LONG: Sizes = {
  windowMs: 2_000,
  rounds: 7,
  fewRecords: 10_000,
  manyRecords: 1_000_000,
  diskRecords: 50_000,
  sharedRecords: 100_000,
  backfilledRows: 100_000,
  waitingWebhooks: 500_000,
};
const SHORT: Sizes = {
  windowMs: 500,
  rounds: 3,
  fewRecords: 1_000,
  manyRecords: 50_000,
  diskRecords: 4_000,
  sharedRecords: 20_000,
  backfilledRows: 5_000,
  waitingWebhooks: 50_000,
};

const USAGE = `Usage: npm run bench -- [name...] [--short] [--write]

Measures the services beside their yardsticks. Without a name it runs every bench.

  --short   small sizes, about 8 minutes
  --write   also writes bench/results, a file for each

Names: ${Object.keys(BENCHES).join(", ")}`;

const { values: options, positionals } = readCommandLine(USAGE, {
  allowPositionals: true,
  options: { short: { type: "boolean", default: false }, write: { type: "boolean", default: false } },
});
const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
const unknown = names.find((name) => BENCHES[name] === undefined);
if (unknown !== undefined) refuseCommandLine(USAGE, `There is no bench ${JSON.stringify(unknown)}.`);

const say = (line: string) => process.stderr.write(`bench: ${line}\n`);
const alive = setInterval(() => undefined, 1_000);
try {
  await runAll();
} finally {
  clearInterval(alive);
}

async function runAll(): Promise<void> {
  await using server = await openBenchServer(process.env["DS_BENCH_DATABASE_URL"]);
  await using load = startLoadProcess();
  for (const name of names) {
    say(`${name} (load average ${loadAverage()})`);
    const head = describeRun(server);
    const context = {
      server,
      load,
      sizes: options.short ? SHORT : LONG,
      say: (line: string) => say(`${name}: ${line}`),
    };
    const report = await (BENCHES[name] as Bench)(context);
    const ended = `Load average of the machine at the end: ${loadAverage()}.`;
    const markdown = `# ${name}\n\n${head}\n\n${reportToMarkdown({ ...report, notes: [...report.notes, ended] })}\n`;
    process.stdout.write(`${markdown}\n`);
    if (options.write) writeFileSync(new URL(`./results/${name}.md`, import.meta.url), markdown);
    const missed = report.outcomes.filter((outcome) => !keepsBar(outcome));
    say(`${name}: ${report.outcomes.length - missed.length} kept, ${missed.length} missed`);
  }
}

function describeRun({ description, directory }: BenchServer): string {
  const size = options.short
    ? "Short form: small sizes, for a look and for CI; the bars are meant for the long form."
    : "Long form.";
  const lines = [
    ...describeMachine(),
    `${description}.`,
    `A durable write of 8 kB took ${probeFsyncUs(directory).toFixed(0)} us before the bench.`,
    size,
    "Figures are ratios within one run on one machine; rates are not to be compared between runs.",
  ];
  return lines.map((line) => `- ${line}`).join("\n");
}
