import assert from "node:assert/strict";
import { test } from "node:test";
import { showAddress, showSetting } from "./secret-settings.ts";

test("an address is shown without its user, its password and its query, whatever characters they contain [P7]", () => {
  for (const [address, shown] of [
    ["postgresql://u:hidden@host:5432/db", "postgresql://<redacted>@host:5432/db"],
    ["postgresql://u:hid@den@host/db", "postgresql://<redacted>@host/db"],
    ["postgresql://u:hid/den@host/db", "postgresql://<redacted>@host/db"],
    ["postgresql://u:hid?den@host/db", "postgresql://<redacted>@host/db"],
    ["postgresql://u:hid#den@host/db", "postgresql://<redacted>@host/db"],
    ["postgresql://u:hid\nden@host/db", "postgresql://<redacted>@host/db"],
    ["POSTGRESQL://u:hidden@host/db", "POSTGRESQL://<redacted>@host/db"],
    ["postgresql+ssl://u:hidden@host/db", "postgresql+ssl://<redacted>@host/db"],
    ["https://hidden@host", "https://<redacted>@host"],
    ["https://one.example.org,https://u:hidden@two.example.org", "https://<redacted>@two.example.org"],
    ["postgresql://host/db?password=hidden", "postgresql://host/db?<redacted>"],
    ["https://vault.example.org", "https://vault.example.org"],
    ["/var/lib/files", "/var/lib/files"],
  ] as const) {
    assert.equal(showAddress(address), shown);
  }
});

test("a setting that holds a secret is masked as a whole", () => {
  for (const name of ["DS_SECRET", "DS_INGEST_SECRETS", "DS_PROVISIONING_TOKEN", "DS_OIDC_SIGNING_KEY_JWK"]) {
    assert.equal(showSetting(name, "hidden"), "<redacted>");
  }
});
