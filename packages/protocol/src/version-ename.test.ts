import assert from "node:assert/strict";
import { test } from "node:test";
import vectors from "../../../vectors/version-ename.json" with { type: "json" };
import { isVersion, versionToEName } from "./version-ename.ts";

test("versionToEName() is the UUIDv5 of the prefixed version in the platform's UUID [S3, decision A1] [P-RES-024] [P-RES-050] [P-RES-051]", () => {
  for (const { platform, version, versionEname } of vectors.own)
    assert.equal(versionToEName(platform, version), versionEname);
});

test("versionToEName() takes a version byte for byte [decision A1] [P-RES-050]", () => {
  const platform = "@11111111-2222-4333-8444-555555555555";
  const spellings = ["1.4.0", "1.4", "v1.4.0", "1.4.0+a", "1.4.0-a", "1.4.0-A", "01.4.0"];
  assert.equal(new Set(spellings.map((version) => versionToEName(platform, version))).size, spellings.length);
});

test("a version is 1 to 64 characters of 0-9 A-Z a-z . + _ - [decision A6] [P-RES-052]", () => {
  const platform = "@11111111-2222-4333-8444-555555555555";
  assert.ok(["1", "v2.0.0-rc.1+build_5", "9".repeat(64)].every(isVersion));
  for (const version of ["", " 1", "1 ", "1/2", "1:2", "é", "1\n", "9".repeat(65)]) {
    assert.ok(!isVersion(version));
    assert.throws(() => versionToEName(platform, version), { code: "INVALID_VERSION" }, version);
  }
  assert.throws(() => versionToEName("chatter", "1.0"), { code: "INVALID_ENAME" });
});
