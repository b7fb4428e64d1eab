import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { Validator } from "@seriousme/openapi-schema-validator";
import type { OpenApiDocument } from "@dataspace/api-reference/open-api";
import { createOwner } from "../create-owner.ts";
import { startTestSpace } from "./support/start-test-space.ts";

const run = promisify(execFile);
const COMMAND = /<ds-copy class="block"><pre class="wrapped"><code>([^<]*)<\/code>/g;
/** A shell variable that a command of the page fills; the test has its value. */
const FILLED = /^OWNER=\$\(.*\)$/m;

test("each service's document is valid, and each curl of its page runs as pasted and gets an answer that the document has", async (t) => {
  await using space = await startTestSpace();
  const owner = await createOwner(space, undefined);
  const services = { registry: space.registryUrl, vault: space.vaultUrl, authority: space.authorityUrl };
  for (const [name, url] of Object.entries(services)) {
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
    const { valid, errors } = await new Validator().validate({ ...document });
    assert.ok(valid === true, `${name}: ${String(JSON.stringify(errors)).slice(0, 2_000)}`);
    assert.equal(document.servers[0]?.url, url);
    const page = await (await fetch(`${url}/docs`)).text();
    assert.doesNotMatch(page, /undefined|\[object/);
    const commands = [...page.matchAll(COMMAND)].map(([, code = ""]) => toText(code));
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
    );
    assert.equal(commands.length, operations.length, name);
    for (const [at, { operation }] of operations.entries()) {
      const command = commands[at]?.replace(FILLED, `OWNER=${owner}`) ?? "";
      const { stdout } = await run("bash", [
        "-euc",
        command.replaceAll("curl ", "curl -sS -o /dev/null -w '%{http_code}' "),
      ]);
      assert.ok(stdout in operation.responses, `${name} ${operation.operationId}: ${stdout}\n${command}`);
    }
    t.diagnostic(`${name}: ${operations.length} operations`);
  }
});

function toText(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
