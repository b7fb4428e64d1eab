import { parseEName } from "@dataspace/protocol/ename";
import type { Change } from "../state/changes.ts";

/** The eNames beside the owner that take part in a change, each once. What is not an eName is left out. Refuses: never. */
export function participantsOf({ participants }: Pick<Change, "participants">, owner: string): readonly string[] {
  const enames = participants.flatMap((participant) => {
    try {
      return [parseEName(participant)];
    } catch {
      return [];
    }
  });
  return [...new Set<string>(enames)].filter((ename) => ename !== owner);
}
