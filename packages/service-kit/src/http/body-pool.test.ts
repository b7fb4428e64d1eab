import assert from "node:assert/strict";
import { test } from "node:test";
import { createBodyPool } from "./body-pool.ts";

test("createBodyPool(): a holder has half of the pool alone, a quarter beside others, and the rest stays free for others [decision V25]", () => {
  const open = createBodyPool(100);
  const first = open("a");
  first.take(50);
  assert.throws(() => first.take(1), { code: "BUSY", status: 503 });
  const other = open("b");
  other.take(25);
  assert.throws(() => other.take(1), { code: "BUSY" });
  assert.throws(() => open("a").take(1), { code: "BUSY" });
  open("c").take(25);
  assert.throws(() => open("d").take(1), { code: "BUSY" });
});

test("createBodyPool(): bytes are given back once, also where they are released before they arrive [decision V25]", () => {
  const open = createBodyPool(100);
  const hold = open("a");
  hold.take(50);
  hold.release();
  hold.release();
  hold.take(40);
  for (const holder of ["a", "b", "c", "d"]) open(holder).take(25);
  assert.throws(() => open("e").take(1), { code: "BUSY" });
});
