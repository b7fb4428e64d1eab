import assert from "node:assert/strict";
import { test } from "node:test";
import { LINK_IDS } from "@dataspace/platform-auth/link-entry";
import { tellPlatformStory } from "../demo/platform-story.ts";
import { startTestSpace } from "./support/start-test-space.ts";

test("a platform gets access by a certificate, loses what the owner refuses at once, and all of it by revocation (decisions A1, A2)", async () => {
  await using space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
  const lines: string[] = [];
  const outcome = await tellPlatformStory(space, (line) => lines.push(line));
  const shown = lines.join("\n");
  assert.equal(outcome.first.ok, true, shown);
  assert.deepEqual(
    outcome.first.links.map(({ id, code }) => `${id} ${code}`),
    LINK_IDS.map((id) => `${id} ok`),
  );
  assert.deepEqual(outcome.first.claim?.domains, ["social"]);
  assert.equal(outcome.postsRead, 1);
  assert.equal(outcome.postsAfterPolicy, 0);
  assert.equal(outcome.refusedBy, "DOMAIN_REFUSED_BY_OWNER");
  const { ok, session, links } = outcome.last;
  assert.deepEqual([ok, session], [false, undefined]);
  assert.deepEqual(
    links.map(({ code }) => code),
    [...Array(5).fill("ok"), "certificate_revoked"],
  );
  for (const id of LINK_IDS) assert.ok(shown.includes(`   ${id} ok `), shown);
});
