import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { encodeBase64Url } from "@dataspace/protocol/base64url";
import { decodeStatusList, encodeStatusList } from "./status-list.ts";

test("a list of 1 bit reads as the draft's example does [draft-ietf-oauth-status-list 4.1] [P-CRT-014]", () => {
  const read = decodeStatusList({ bits: 1, lst: "eNrbuRgAAhcBXQ" });
  const bits = [1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1];
  assert.deepEqual(
    bits.map((_bit, idx) => read?.(idx)),
    bits,
  );
  assert.equal(read?.(16), undefined);
});

test("a list of 2 bits reads as the draft's example does [draft-ietf-oauth-status-list 4.1]", () => {
  const read = decodeStatusList({ bits: 2, lst: "eNo76fITAAPfAgc" });
  const statuses = [1, 2, 0, 3, 0, 1, 0, 1, 1, 2, 3, 3];
  assert.deepEqual(
    statuses.map((_status, idx) => read?.(idx)),
    statuses,
  );
});

test("a written list says revoked of exactly the given indexes", () => {
  const read = decodeStatusList(encodeStatusList([0, 9, 4095], 4096));
  const revoked = Array.from({ length: 4096 }, (_none, idx) => idx).filter((idx) => read?.(idx) === 1);
  assert.deepEqual(revoked, [0, 9, 4095]);
  assert.throws(() => encodeStatusList([4096], 4096), RangeError);
});

test("a list that unpacks to more than 1 MiB, or is not a list, is refused", () => {
  const bomb = encodeBase64Url(deflateSync(new Uint8Array(8 * 1_048_576)));
  for (const value of [
    { bits: 1, lst: bomb },
    { bits: 3, lst: "eNrbuRgAAhcBXQ" },
    { bits: 1, lst: "AAAA" },
    { bits: 1 },
    null,
    "x",
  ]) {
    assert.equal(decodeStatusList(value), undefined);
  }
});
