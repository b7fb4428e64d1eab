import assert from "node:assert/strict";
import { test } from "node:test";
import { createShares } from "./shares.ts";

const soon = { timeoutMs: 0 };
const later = { timeoutMs: 60_000 };

test("one holder has at most its share, and does not delay another's request [decision V25]", async () => {
  const { take } = createShares({ total: 8, each: 2 });
  const first = await take({ holder: "a", amount: 1, ...soon });
  assert.ok(await take({ holder: "a", amount: 1, ...soon }));
  assert.equal(await take({ holder: "a", amount: 1, ...soon }), undefined);
  const third = take({ holder: "a", amount: 1, ...later });
  assert.ok(await take({ holder: "b", amount: 2, ...soon }));
  first?.();
  assert.ok(await third);
});

test("no more than the total is granted, and a request for more than a share gets one whole share [decision V25]", async () => {
  const { take } = createShares({ total: 4, each: 2 });
  const [a, b] = [await take({ holder: "a", amount: 9, ...soon }), await take({ holder: "b", amount: 2, ...soon })];
  assert.ok(a && b);
  assert.equal(await take({ holder: "c", amount: 1, ...soon }), undefined);
  const large = take({ holder: "c", amount: 2, ...later });
  const small = take({ holder: "d", amount: 1, ...later });
  a();
  const giveBack = await large;
  b();
  assert.ok(await small);
  giveBack?.();
  assert.ok(await take({ holder: "e", amount: 2, ...soon }));
});

test("a request whose wait failed uses nothing and delays nobody", async () => {
  const { take } = createShares({ total: 2, each: 2 });
  const held = await take({ holder: "a", amount: 1, ...soon });
  const large = take({ holder: "b", amount: 2, timeoutMs: 20 });
  const small = take({ holder: "c", amount: 1, ...later });
  assert.equal(await large, undefined);
  const other = await small;
  assert.ok(other && held);
  held();
  other();
  assert.ok(await take({ holder: "d", amount: 2, ...soon }));
});
