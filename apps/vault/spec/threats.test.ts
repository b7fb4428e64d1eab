import assert from "node:assert/strict";
import { test } from "node:test";
import { outcomeOf } from "./corpus/attack.ts";
import { DOCUMENT_ATTACKS } from "./corpus/document-attacks.ts";
import { HEADER_ATTACKS } from "./corpus/header-attacks.ts";
import { VALUE_ATTACKS } from "./corpus/value-attacks.ts";
import { startVault } from "./support/start-vault.ts";
import { besiege } from "./support/unharmed.ts";

const byThreat = Object.groupBy([...DOCUMENT_ATTACKS, ...VALUE_ATTACKS, ...HEADER_ATTACKS], ({ threat }) => threat);

for (const [threat, attacks = []] of Object.entries(byThreat).sort()) {
  test(`[${threat}] ${attacks.length} attacks come to what the table says, write nothing, show nothing and hinder nobody`, async () => {
    const cors = { origins: "loopback", allowHosts: [] } as const;
    await using vault = await startVault({ introspection: false, cors });
    const { target, checkAnswer, checkVault, digest } = await besiege(vault);
    const before = await digest();
    for (const { what, send, expected } of attacks) {
      const reply = await send(target);
      checkAnswer(reply, what);
      assert.ok(outcomeOf(reply).startsWith(expected), `${what}: ${outcomeOf(reply)} ${reply.text.slice(0, 300)}`);
    }
    await checkVault(threat);
    assert.equal(await digest(), before, "something was written");
  });
}
