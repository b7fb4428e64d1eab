import { type EName, parseEName } from "@dataspace/protocol/ename";
import type { JsonObject, JsonValue } from "@dataspace/protocol/meta-envelope";
import type { GroupRow } from "../store/group-rows.ts";

/** Who is in a group, and whether its record may give grants: what a legacy token wrote last only denies. */
export interface Group {
  readonly members: ReadonlySet<EName>;
  readonly grants: boolean;
}

const MEMBER_FIELDS = ["members", "memberIds", "participants", "participantIds", "admins", "owner"];

/** Reads what a vault says of itself as a group. Out: undefined where it is none. Refuses: never. Source: decision V23. */
export function readGroup({ payloadText, credential }: GroupRow): Group | undefined {
  if (payloadText === null) return undefined;
  const payload = JSON.parse(payloadText) as JsonObject;
  const named = MEMBER_FIELDS.flatMap((field) => payload[field] ?? []).flatMap(toENames);
  return { members: new Set(named), grants: credential !== "legacy-platform-token" };
}

function toENames(value: JsonValue): readonly EName[] {
  try {
    return [parseEName(value as string)];
  } catch {
    return [];
  }
}
