import type { Request } from "./act.ts";
import type { World } from "./world.ts";

/** One operation as a line of a trace, the parties by their names. */
export function describe(world: World, { party, caller, server, act }: Request): string {
  const who =
    caller.kind === "person" ? caller.ename : caller.kind === "legacy" ? `legacy ${caller.platform}` : "anonymous";
  const behalf = caller.behalf === null ? "" : ` for ${caller.behalf}`;
  const { do: name, ...sent } = act;
  const shown = "key" in sent ? { ...sent, key: sent.key.publicKey } : sent;
  return nameParties(world, `${who}${behalf} at ${party.ename} (${server}): ${name} ${JSON.stringify(shown)}`);
}

/** Puts the parties' names in place of their eNames, as they are and as they are spelled without `@` in capitals. */
export function nameParties({ parties }: World, text: string): string {
  return [...parties.values()].reduce(
    (named, { name, ename }) =>
      named.replaceAll(ename, `@${name}`).replaceAll(ename.slice(1).toUpperCase(), name.toUpperCase()),
    text,
  );
}
