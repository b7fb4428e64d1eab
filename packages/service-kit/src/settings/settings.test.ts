import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { inspect } from "node:util";
import { z } from "zod";
import { createSecret } from "../secret.ts";
import { StartupError } from "../startup-error.ts";
import {
  baseUrlSetting,
  booleanSetting,
  durationSecondsSetting,
  hostSetting,
  jwkSetting,
  oneOfSetting,
  outgoingAllowSetting,
  portSetting,
  secretSetting,
  timeSetting,
  trustedProxiesSetting,
} from "./setting-types.ts";
import { readSettings, unknownSettings } from "./settings.ts";

const GOOD_SECRET = "correct-horse-battery-staple-0123456789";

function newJwk(): Record<string, unknown> {
  return { ...generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }) };
}

function faultOf(schema: z.ZodType, text: string | undefined): string {
  try {
    readSettings({ X: schema }, { X: text });
  } catch (error) {
    assert.ok(error instanceof StartupError);
    assert.equal(error.exitCode, 78);
    return error.message;
  }
  return "";
}

test("readSettings(): absent and empty settings take their defaults [P5]", () => {
  const shape = {
    PORT: portSetting(4000),
    HOST: hostSetting(),
    MODE: oneOfSetting(["enforced", "header"], "enforced"),
    ON: booleanSetting(false),
    TTL: durationSecondsSetting({ min: 10, max: 300, default: 120 }),
    SECRET: secretSetting({ minLength: 32 }).optional(),
  };
  const expected = { PORT: 4000, HOST: "127.0.0.1", MODE: "enforced", ON: false, TTL: 120, SECRET: undefined };
  assert.deepEqual(readSettings(shape, { PORT: "", MODE: "", OTHER: "x" }), expected);
});

test("readSettings(): good values are read into their types", () => {
  const jwk = newJwk();
  const settings = readSettings(
    { PORT: portSetting(1), URL: baseUrlSetting(), ON: booleanSetting(false), KEY: jwkSetting(), HOST: hostSetting() },
    { PORT: "0", URL: "HTTPS://Vault.Example.org:443/", ON: "1", KEY: JSON.stringify(jwk), HOST: "::1" },
  );
  assert.equal(settings.PORT, 0);
  assert.equal(settings.URL, "https://vault.example.org");
  assert.equal(settings.ON, true);
  assert.equal(settings.KEY.d, jwk.d);
  assert.equal(settings.HOST, "::1");
});

test("readSettings(): every fault is listed at once, each with its setting's name [P5]", () => {
  const shape = {
    DS_PORT: portSetting(1),
    DS_URL: baseUrlSetting(),
    DS_SECRET: secretSetting({ minLength: 32 }),
    DS_FREE: z.string().max(3, "must have at most 3 characters"),
  };
  const env = { DS_PORT: "abc", DS_SECRET: "short", DS_FREE: "four", DS_TYPO: "1" };
  assert.throws(
    () => readSettings(shape, env, unknownSettings(env, Object.keys(shape))),
    (error: Error) => {
      assert.deepEqual(error.message.split("\n"), [
        "5 settings are wrong:",
        '  DS_PORT: must be a port number (its admin port is 10000 above) from 0 to 55535, not "abc"',
        "  DS_URL: is required, but it is not set",
        "  DS_SECRET: must have at least 32 characters, it has 5",
        "  DS_FREE: must have at most 3 characters",
        "  DS_TYPO: there is no such setting",
      ]);
      return true;
    },
  );
});

test("unknownSettings(): names the nearest known setting, ignores what is not DS_, knows the _FILE forms", () => {
  const env = { DS_VAULT_PROT: "1", DS_VAULT_PORT: "1", DS_SECRET_FILE: "x", VAULT_ADDR: "y", PATH: "z" };
  assert.deepEqual(unknownSettings(env, ["DS_VAULT_PORT", "DS_SECRET"]), [
    "DS_VAULT_PROT: there is no such setting; did you mean DS_VAULT_PORT?",
  ]);
});

test("settings with a wrong value: each message says what is wanted", () => {
  const cases: readonly (readonly [z.ZodType, string, RegExp])[] = [
    [portSetting(1), "55536", /10000 above\) from 0 to 55535/],
    [portSetting(1), "-1", /from 0 to 55535/],
    [portSetting(1), "4e3", /not "4e3"/],
    [portSetting(1), " 80", /not " 80"/],
    [
      durationSecondsSetting({ min: 10, max: 300, default: 120 }),
      "9",
      /a whole number of seconds from 10 to 300, not "9"/,
    ],
    [durationSecondsSetting({ min: 10, max: 300, default: 120 }), "12.5", /whole number/],
    [timeSetting(), "2026-12-31", /must be a time such as 2026-12-31T00:00:00Z, not "2026-12-31"/],
    [timeSetting(), "2026-13-31T00:00:00Z", /must be a time/],
    [booleanSetting(true), "yes", /must be 1 or 0/],
    [oneOfSetting(["accept", "reject"], "accept"), "Accept", /must be accept or reject, not "Accept"/],
    [hostSetting(), "127.0.0.1:80", /without a port/],
    [hostSetting(), "a b", /host name/],
    [baseUrlSetting(), "localhost:4000", /http or https address/],
    [baseUrlSetting(), "ftp://a.example", /http or https address/],
    [baseUrlSetting(), "https://a.example/x", /without a path, here https:\/\/a.example/],
    [baseUrlSetting(), "https://a.example?", /query or a fragment/],
    [baseUrlSetting(), "https://a.example#", /query or a fragment/],
    [baseUrlSetting(), "https://u:pass-word@a.example", /user name or password/],
  ];
  for (const [schema, text, message] of cases) assert.match(faultOf(schema, text), message, text);
  assert.doesNotMatch(faultOf(baseUrlSetting(), "https://u:pass-word@a.example"), /pass-word/);
});

test("jwkSetting(): only a private P-256 key whose x and y belong to its d, and never shown [P7]", () => {
  const jwk = newJwk();
  const other = newJwk();
  const cases: readonly (readonly [string, RegExp])[] = [
    ["{", /one JSON object/],
    ["[]", /one JSON object/],
    [JSON.stringify({ ...jwk, d: undefined }), /"d" is missing/],
    [JSON.stringify({ ...jwk, crv: "P-384" }), /must be a P-256 key/],
    [JSON.stringify({ ...jwk, alg: "RS256" }), /for ES256/],
    [JSON.stringify({ ...jwk, x: other.x, y: other.y }), /do not belong/],
    [JSON.stringify({ ...jwk, d: "AAAA" }), /not 32 bytes/],
    [JSON.stringify({ ...jwk, d: "A".repeat(43) }), /do not belong/],
    [JSON.stringify({ ...jwk, kid: 7 }), /"kid"/],
  ];
  for (const [text, message] of cases) {
    const fault = faultOf(jwkSetting(), text);
    assert.match(fault, message);
    assert.ok(!fault.includes(String(jwk.d)));
  }
  const { KEY } = readSettings({ KEY: jwkSetting() }, { KEY: JSON.stringify(jwk) });
  assert.ok(!inspect({ KEY }).includes(String(jwk.d)));
  assert.ok(!JSON.stringify({ KEY }).includes(String(jwk.d)));
});

test("secretSetting(): long and varied enough, and neither shown nor repeated [P7]", () => {
  const schema = secretSetting({ minLength: 32 });
  assert.match(faultOf(schema, "ab".repeat(16)), /at least 16 different characters/);
  assert.doesNotMatch(faultOf(schema, "hunter2hunter2"), /hunter2/);
  const { S } = readSettings({ S: schema }, { S: GOOD_SECRET });
  assert.equal(S.reveal(), GOOD_SECRET);
});

test("createSecret(): every way of printing gives <redacted> [P7]", () => {
  const secret = createSecret(GOOD_SECRET);
  const texts = [
    inspect(secret),
    inspect({ deep: { secret } }),
    JSON.stringify({ secret }),
    `${secret}`,
    String(secret),
  ];
  for (const text of texts) {
    assert.ok(text.includes("<redacted>"), text);
    assert.ok(!text.includes(GOOD_SECRET), text);
  }
});

test("readSettings(): NAME_FILE names a file with the value; both at once or an unreadable file is a fault", (t) => {
  const directory = mkdtempSync(join(tmpdir(), "dataspace-settings-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "secret");
  writeFileSync(file, `${GOOD_SECRET}\n`);
  const shape = { DS_SECRET: secretSetting({ minLength: 32 }) };
  assert.equal(readSettings(shape, { DS_SECRET_FILE: file }).DS_SECRET.reveal(), GOOD_SECRET);
  assert.throws(() => readSettings(shape, { DS_SECRET_FILE: file, DS_SECRET: GOOD_SECRET }), /set only one of the two/);
  assert.throws(() => readSettings(shape, { DS_SECRET_FILE: `${file}x` }), /DS_SECRET: the file .*ENOENT/);
});

test("trustedProxiesSetting(): a list of addresses and ranges, none when absent; what is no such list is a fault with its first bad entry", () => {
  const read = (text?: string) => readSettings({ X: trustedProxiesSetting() }, { X: text }).X;
  assert.deepEqual(read(), []);
  assert.deepEqual(read("10.0.0.1, 192.168.0.0/16,::1, fd00::/8,"), ["10.0.0.1", "192.168.0.0/16", "::1", "fd00::/8"]);
  for (const bad of [
    "proxy.example",
    "10.0.0.1:80",
    "10.0.0.0/33",
    "0.0.0.0/0",
    "::/0",
    "10.0.0.0/8/8",
    "10.0.0/8",
    "*",
    "true",
  ])
    assert.match(
      faultOf(trustedProxiesSetting(), `127.0.0.1,${bad}`),
      new RegExp(`X: lists .* not "${bad.replace("*", "\\*")}"`),
    );
});

test("DS_OUTGOING_ALLOW: a bad entry is reported as the fault of its setting, and nothing is allowed where it is not set [V-EVT-228]", () => {
  const shape = { DS_OUTGOING_ALLOW: outgoingAllowSetting() };
  const fault = { name: "StartupError", message: /DS_OUTGOING_ALLOW: lists host:port .* not "everybody"/ };
  assert.throws(() => readSettings(shape, { DS_OUTGOING_ALLOW: "127.0.0.0/8, everybody" }), fault);
  assert.deepEqual(readSettings(shape, {}).DS_OUTGOING_ALLOW, { targets: new Set(), ranges: [] });
});
