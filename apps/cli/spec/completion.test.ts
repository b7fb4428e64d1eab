import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { Command } from "commander";
import { makeCompletion, SHELLS } from "../src/operate/shell-completion.ts";

function program(): Command {
  const root = new Command("dataspace");
  root.command("doctor").option("--json");
  root.command("keys").command("rotate").option("--setting <name>");
  return root;
}

test("bash completes commands, subcommands and options", () => {
  const script = makeCompletion(program(), "bash");
  const complete = (...words: string[]) => {
    const line = `COMP_WORDS=(dataspace ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}`;
    const { stdout, stderr } = spawnSync("bash", ["-c", `${script}\n${line}; _dataspace; echo "\${COMPREPLY[*]}"`], {
      encoding: "utf8",
    });
    assert.equal(stderr, "");
    return stdout.trim();
  };
  assert.equal(complete("do"), "doctor");
  assert.equal(complete("keys", ""), "rotate --help");
  assert.equal(complete("keys", "rotate", "--s"), "--setting");
  assert.equal(complete("doctor", "--j"), "--json");
});

test("each shell gets a script that names every command", () => {
  for (const shell of SHELLS) {
    const script = makeCompletion(program(), shell);
    for (const word of ["doctor", "keys", "rotate"]) assert.ok(script.includes(word), `${shell} ${word}`);
  }
  assert.match(
    makeCompletion(program(), "fish"),
    /-n '__fish_seen_subcommand_from keys; and not __fish_seen_subcommand_from rotate' -a rotate/,
  );
});
