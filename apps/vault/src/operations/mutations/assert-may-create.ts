import type { Refusal } from "@dataspace/service-kit/http/refusal";
import type { Gates } from "../../access/gates.ts";
import { mayCreate } from "../../access/owner.ts";
import type { Caller } from "../../caller/caller.ts";
import { refusal } from "../../errors.ts";
import type { WriteDeps } from "../write-deps.ts";

/**
 * Refuses a caller who may not create a MetaEnvelope of an ontology here: whoever is neither the owner, nor a platform token that may
 * write, nor an evidence session whose gates are open for it.
 *
 * Refuses: FORBIDDEN, and as `findClosedGate`. Source: decisions V12, A2.
 */
export async function assertMayCreate(
  { guard }: Pick<WriteDeps, "guard">,
  caller: Caller,
  ontology: string,
): Promise<void> {
  const refused = findCreateRefusal(caller, ontology, await guard.gatesOf(caller));
  if (refused !== undefined) throw refused;
}

/** Finds why a caller may not create; undefined where it may. In: what the gates say to the caller. */
export function findCreateRefusal(
  { owner, principal }: Caller,
  ontology: string,
  gates: Gates | undefined,
): Refusal | undefined {
  if (gates !== undefined) return findClosedGate(gates, ontology);
  if (mayCreate(owner, principal)) return undefined;
  return refusal(
    "FORBIDDEN",
    "Only the owner of this vault, a platform token that may write, or a platform's session creates in it.",
  );
}

/**
 * Finds the gate that keeps an evidence session from an ontology.
 *
 * Out: a refusal with the gate's code, or undefined where both gates are open. Source: S3 "Platform authentication"; decision A2.
 */
export function findClosedGate(gates: Gates | undefined, ontology: string): Refusal | undefined {
  const code = gates?.refusalOn(ontology);
  return code === undefined ? undefined : refusal(code, GATE_MESSAGES[code], "ontology");
}

const GATE_MESSAGES = {
  DOMAIN_NOT_CERTIFIED: "The certificate of this platform does not cover the domain of this ontology.",
  DOMAIN_REFUSED_BY_OWNER: "The owner's access policy refuses the domain of this ontology.",
  DOMAIN_OUTSIDE_ALLOWLIST: "The owner's access policy does not list the domain of this ontology.",
  LEVEL_BELOW_POLICY: "The owner's access policy asks for a higher certification level.",
  REPUTATION_ENGINE_NOT_ACCEPTED: "The owner's reputation engine has no reading of this platform that counts.",
  REPUTATION_BELOW_POLICY: "The owner's access policy asks for more reputation.",
} as const;
