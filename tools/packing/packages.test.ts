// A stranger installs the published packages from their tarballs and does with them what their READMEs say.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { after, before, test } from "node:test";
import { createContext, runInContext } from "node:vm";
import { publint } from "publint";
import { rolldown } from "rolldown";
import type { MarkdownBlock } from "../documents/markdown-blocks.ts";
import { plainEnvironment, type RunningStack, startStack } from "../documents/running-stack.ts";
import { type Consumer, listExamples, makeConsumer, run } from "./consumer.ts";
import { findEngineFaults } from "./engine-faults.ts";
import { installNodeVersions, listNodeVersions, type NodeVersion, noNodeVersions } from "./node-versions.ts";
import { checkLogin, checkWebhook, SECRET, type StartingServer } from "./server-checks.ts";
import { toCommonJs } from "./to-common-js.ts";

const root = path.resolve(import.meta.dirname, "../..");
/** What a program of a README prints when it did what it is for; a server is asked instead. */
const PRINTS: Readonly<Record<string, RegExp>> = {
  "protocol names": /\{"a":\[true,null\],"b":1\}\n.*INVALID/s,
  "clients resolve": /The registry knows no vault|^http/,
  "clients wallet-token": /INVALID_TOKEN/,
  "wallet example": /createMetaEnvelope/,
  "wallet own-key": /^z[1-9A-Za-z]+$/m,
  "wallet sign": /deployment_attestation_bundle/,
  "vault-client start": /^written .*Hello, vault\./ms,
  "vault-client wallet": /^3 update .*draft.*\n2 update .*final/m,
  "vault-client retry": /^IDEMPOTENCY_MISMATCH 422 false$/m,
  "outgoing fetch": /^200\nforbidden_target$/m,
};
/** The programs that take the eName of an owner. */
const TAKES_OWNER = ["vault-client start", "vault-client retry"];
const SERVERS: Readonly<Record<string, (server: StartingServer) => Promise<void>>> = {
  "receiver express": checkWebhook,
  "receiver fastify": checkWebhook,
  "receiver hono": checkWebhook,
  "receiver node-http": checkWebhook,
  "wallet-login express": checkLogin,
  "wallet-login fastify": checkLogin,
  "wallet-login hono": checkLogin,
  "adapter start": checkWebhook,
};
/** Programs that load every module of the packages, by import and by require. */
const LOADS = ["load.mjs", "load.cjs"].map((place) => ({ name: "every module", place }));
const LOADED = /^loaded$/m;
const AT_ONCE = 5;
/** The program that needs `node:sqlite`, and what it says on a Node without it. */
const NEEDS_SQLITE = "adapter start";
const WITHOUT_SQLITE =
  /Error: SQLite needs Node 22\.16 or newer\. Use createPostgresState or the state of an ORM instead\./;
/** The short form runs each program once on each Node, as ES module or CommonJS in turn; this setting runs both. */
const isLong = process.env["DS_PACKAGES_LONG"] === "1";
/** Modules of a reader's own program: tests of the packages run them. */
const LIBRARIES = ["receiver next", "receiver postgres-store"];
const examples = listExamples(root);
let consumer: Consumer;
let stack: RunningStack;
let owner: string;

before(async () => {
  const starting = startStack(root);
  try {
    consumer = makeConsumer(root);
  } finally {
    stack = await starting;
  }
  owner = /^ {2}(@[\da-f-]{36}) {3}/m.exec(stack.screen)?.[1] ?? assert.fail(stack.screen);
  for (const block of examples) place(`examples/${toName(block).replace(" ", "-")}.ts`, stack.at(block.text));
  place("examples/package.json", '{ "type": "module" }');
  const imports = consumer.modules.map((module, index) => `import * as m${index} from "${module}";\n`);
  place("examples/every-module.ts", `${imports.join("")}export const all = [${imports.map((_, i) => `m${i}`)}];\n`);
});

after(async () => {
  consumer?.[Symbol.dispose]();
  await stack?.[Symbol.asyncDispose]();
});

function place(file: string, text: string): void {
  const target = path.join(consumer.directory, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}

function toName({ page, words }: MarkdownBlock): string {
  return `${page.split("/")[1]} ${words}`;
}

test("every program of the published READMEs is known to this test", () => {
  assert.deepEqual(examples.map(toName).sort(), [...Object.keys(PRINTS), ...Object.keys(SERVERS), ...LIBRARIES].sort());
});

test("a tarball holds JavaScript, declarations, maps, sources, licence and README, and no test; publint finds nothing", async () => {
  for (const tarball of consumer.tarballs) {
    const files = run(consumer.directory, "tar", ["tzf", tarball]).trim().split("\n");
    const strange = files.filter((file) => !/^package\/(?:dist|src|LICENSE$|README\.md$|package\.json$)/.test(file));
    assert.deepEqual(strange, [], tarball);
    assert.deepEqual(
      files.filter((file) => /\.test\.|^test-/.test(path.basename(file))),
      [],
    );
    for (const file of files.filter((name) => name.startsWith("package/src/"))) {
      const built = file.replace("/src/", "/dist/").replace(/\.ts$/, "");
      for (const end of [".js", ".js.map", ".d.ts", ".d.ts.map"]) assert.ok(files.includes(built + end), built + end);
    }
  }
  for (const name of new Set(consumer.modules.map((module) => module.split("/")[1] ?? ""))) {
    const pkgDir = path.join(consumer.directory, "node_modules/@dataspace", name);
    const { messages } = await publint({ pkgDir, strict: true, pack: false });
    assert.deepEqual(messages, [], name);
    const manifest = JSON.parse(readFileSync(path.join(pkgDir, "package.json"), "utf8"));
    assert.deepEqual(
      [manifest.license, manifest.engines.node, manifest.private],
      ["Apache-2.0", "^20.19.0 || >=22.12.0", undefined],
    );
  }
});

test("the published packages and all that they bring promise to run on the oldest Node of each line", () => {
  assert.deepEqual(findEngineFaults(consumer.directory, listNodeVersions(root)), []);
  const undici = findEngineFaults(consumer.directory, ["18.20.0"]).filter((fault) => fault.includes("/undici "));
  assert.match(undici.join(), /^node_modules\/undici \S+ needs Node \S+ and does not promise 18\.20\.0$/);
});

const COMPILERS = [
  { compiler: "TypeScript 5", script: "node_modules/typescript/bin/tsc", resolution: "nodenext", module: "nodenext" },
  {
    compiler: "TypeScript 7",
    script: `${root}/node_modules/typescript/bin/tsc`,
    resolution: "bundler",
    module: "esnext",
  },
];
for (const { compiler, script, resolution, module } of COMPILERS) {
  test(`${compiler} checks a consumer of every module and every README program, moduleResolution ${resolution}`, () => {
    const project = `tsconfig.${module}.json`;
    const shape = { target: "es2022", module, moduleResolution: resolution, strict: true, types: ["node"] };
    const compilerOptions = { ...shape, skipLibCheck: true, rootDir: "examples", outDir: `out-${module}` };
    place(project, JSON.stringify({ compilerOptions, include: ["examples"] }));
    run(consumer.directory, process.execPath, [script, "--project", project]);
  });
}

test("on each promised Node every module loads, by import and by require, and every README program runs", {
  skip: noNodeVersions ?? false,
  timeout: 300_000,
}, async () => {
  const compiled = path.join(consumer.directory, "out-nodenext");
  place("out-nodenext/package.json", '{ "type": "module" }');
  const imports = `await Promise.all(${JSON.stringify(consumer.modules)}.map((module) => import(module)));console.log("loaded");`;
  place("load.mjs", imports);
  place("load.cjs", `for (const module of ${JSON.stringify(consumer.modules)}) require(module);console.log("loaded");`);
  for (const block of examples.filter((one) => !LIBRARIES.includes(toName(one)))) {
    const file = toName(block).replace(" ", "-");
    const program = readFileSync(path.join(compiled, `${file}.js`), "utf8");
    place(`out-commonjs/${file}.cjs`, toCommonJs(program));
  }
  const jobs = installNodeVersions(root).flatMap((node, nodeIndex) => {
    const names = node.isForSqlite ? [NEEDS_SQLITE] : [...Object.keys(PRINTS), ...Object.keys(SERVERS)];
    const programs = names.flatMap((name, index) => {
      const file = name.replace(" ", "-");
      const forms = [`out-nodenext/${file}.js`, `out-commonjs/${file}.cjs`];
      return forms.map((place) => ({ name, place })).filter((_, at) => isLong || (index + nodeIndex) % 2 === at);
    });
    return [...(node.isForSqlite ? [] : LOADS), ...programs].map((program) => () => runExample(node, program));
  });
  // A few at a time: most of a program's time is its start.
  const queue = jobs.values();
  const work = async (): Promise<void> => {
    for (const job of queue) await job();
  };
  const results = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  for (const result of results) if (result.status === "rejected") throw result.reason;
});

async function runExample(
  node: NodeVersion,
  program: { readonly name: string; readonly place: string },
): Promise<void> {
  const port = await findFreePort();
  const addresses = { ...stack.env, REGISTRY_URL: stack.env["DS_REGISTRY_URL"] };
  const env = { ...plainEnvironment(), ...addresses, WEBHOOK_SECRET: SECRET, PORT: String(port) };
  const file = path.join(consumer.directory, program.place);
  const child = spawn(node.binary, [file, ...(TAKES_OWNER.includes(program.name) ? [owner] : [])], {
    // A program may write files where it runs.
    cwd: mkdtempSync(path.join(consumer.directory, "run-")),
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => {
      printed += part.toString();
    });
  const ended = once(child, "close");
  const what = () => `${program.place} on ${node.name} printed:\n${printed}`;
  const check = SERVERS[program.name];
  if (program.name === NEEDS_SQLITE && !node.hasSqlite) {
    assert.equal((await ended)[0], 1, what());
    assert.match(printed, WITHOUT_SQLITE, what());
  } else if (check !== undefined) {
    try {
      await check({ port, child, owner });
    } catch (error) {
      throw new Error(what(), { cause: error });
    } finally {
      child.kill();
      await ended;
    }
  } else {
    assert.equal((await ended)[0], 0, what());
    assert.match(printed, PRINTS[program.name] ?? LOADED, what());
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  await once(server.close(), "close");
  return port;
}

const NEUTRAL: Readonly<Record<string, string>> = {
  wallet: `
    import { createWalletKey } from "@dataspace/wallet/wallet-key";
    import { signSession } from "@dataspace/wallet/sign-session";
    import { parseWalletUri } from "@dataspace/wallet/parse-wallet-uri";
    import { createProvisioning } from "@dataspace/wallet/provisioning";
    import { createIndexedDbKeyStore } from "@dataspace/wallet/indexed-db-key-store";
    const uri = "ds://auth?session=f0e1d2c3-b4a5-4678-89ab-cdef01234567&redirect=https%3A%2F%2Fexample.org%2Fcb";
    const { session } = parseWalletUri(uri);
    globalThis.result = signSession(await createWalletKey(), session).then((text) =>
      [createProvisioning, createIndexedDbKeyStore].every((one) => typeof one === "function") && text.length > 80);`,
  "vault-client": `
    import { createVaultClients } from "@dataspace/vault-client/vault-clients";
    import { VaultError } from "@dataspace/vault-client/vault-error";
    const clients = createVaultClients({ registryUrl: "https://registry.example.org" }, {
      fetch: async () => Response.json({ error: { code: "UNKNOWN_ENAME", message: "none" } }, { status: 404 }) });
    globalThis.result = clients.vault("@e4d909c2-5d2f-4a7d-9473-b34b6c0f1a5a").get("record-1").then(
      () => false, (error) => error instanceof VaultError);`,
  receiver: `
    import { createMemoryWebhookStore } from "@dataspace/receiver/memory-webhook-store";
    import { createWebhookReceiver } from "@dataspace/receiver/webhook-receiver";
    const receive = createWebhookReceiver({
      secrets: [${JSON.stringify(SECRET)}], store: createMemoryWebhookStore(), onEvent: () => {}, onError: () => {} });
    globalThis.result = receive(new Request("https://example.org", { method: "POST", body: "{}" })).then((answer) =>
      answer.status === 401);`,
};
/** What browsers and edge runtimes both have (the Minimum Common Web API); no Buffer, no process, no require. */
const WEB = [
  ...["AbortController", "AbortSignal", "Blob", "CryptoKey", "DOMException", "Headers", "ReadableStream", "Request"],
  ...["Response", "TextDecoder", "TextEncoder", "URL", "URLSearchParams", "Uint8Array", "ArrayBuffer", "atob", "btoa"],
  ...["clearTimeout", "console", "crypto", "fetch", "performance", "queueMicrotask", "setTimeout", "structuredClone"],
];

for (const [name, program] of Object.entries(NEUTRAL)) {
  test(`${name} bundles for a neutral platform without a Node built-in, and the bundle runs on web APIs alone`, async () => {
    place(`neutral/${name}.js`, program);
    const unresolved: string[] = [];
    await using bundle = await rolldown({
      input: path.join(consumer.directory, `neutral/${name}.js`),
      platform: "neutral",
      // The condition that bundlers for browsers and for edge platforms set; `lru-cache` needs it.
      resolve: { conditionNames: ["import", "browser"] },
      onLog: (_level, log) => void unresolved.push(log.message),
    });
    const { output } = await bundle.generate({ format: "es" });
    const [{ code }] = output;
    assert.deepEqual(unresolved, []);
    assert.doesNotMatch(code, /^import |require\(|node:/m);
    const globals = Object.fromEntries(WEB.map((one) => [one, (globalThis as Record<string, unknown>)[one]]));
    const context = createContext(globals, { codeGeneration: { strings: false, wasm: false } });
    await runInContext(`(async () => {${code.replace(/^export .*$/gm, "")}\n})()`, context);
    assert.equal(await (context as { readonly result?: unknown }).result, true);
  });
}
