import { parseEName } from "@dataspace/protocol/ename";
import type { Subscription } from "../store/subscription-rows.ts";
import { linesOf } from "./own-form.ts";

/** The values of the form, as stored or as sent, and what is wrong with each of them. */
export interface SubscriptionForm {
  readonly targetUrl: string;
  readonly ontologies: string;
  readonly vaults: string;
  readonly faults: Readonly<Partial<Record<"targetUrl" | "ontologyFilter" | "vaultFilter", string>>>;
}

const WORDS = {
  target: "Enter the URL of your endpoint, such as https://calendar.example/api/webhook.",
  tooMany: (most: number, given: number) => `Enter at most ${most} lines. There are ${given}.`,
  tooLong: (line: number) => `Shorten line ${line} to 256 characters.`,
  notEName: (line: number) => `Line ${line} is not an eName. Enter @ and a UUID on each line.`,
} as const;

const MAX_ONTOLOGIES = 100;
const MAX_ONTOLOGY_CHARACTERS = 256;
const MAX_VAULTS = 1_000;

/** An empty form. */
export const EMPTY_FORM: SubscriptionForm = { targetUrl: "", ontologies: "", vaults: "", faults: {} };

/** Reads the sent values, and what the visitor has to correct in them. Refuses: never. */
export function readForm(form: URLSearchParams): SubscriptionForm {
  const textOf = (name: string) => form.get(name) ?? "";
  const targetUrl = textOf("targetUrl").trim();
  const ontology = findFault(textOf("ontologyFilter"), MAX_ONTOLOGIES, ontologyFault);
  const vault = findFault(textOf("vaultFilter"), MAX_VAULTS, vaultFault);
  return {
    targetUrl,
    ontologies: textOf("ontologyFilter"),
    vaults: textOf("vaultFilter"),
    faults: {
      ...(!URL.canParse(targetUrl) && { targetUrl: WORDS.target }),
      ...(ontology && { ontologyFilter: ontology }),
      ...(vault && { vaultFilter: vault }),
    },
  };
}

/** Reads the sent values as a body of the API. Refuses: never. */
export function formToBody(form: URLSearchParams): Readonly<Record<string, unknown>> {
  return {
    targetUrl: readForm(form).targetUrl,
    ontologyFilter: linesOf(form, "ontologyFilter"),
    vaultFilter: linesOf(form, "vaultFilter"),
  };
}

/** Fills the form from a stored subscription. Refuses: never. */
export function toForm({ targetUrl, ontologyFilter, vaultFilter }: Subscription): SubscriptionForm {
  return { targetUrl, ontologies: ontologyFilter.join("\n"), vaults: vaultFilter.join("\n"), faults: {} };
}

// The number of a line counts the empty ones too, as the visitor sees them.
function findFault(
  text: string,
  most: number,
  faultOf: (line: string, number: number) => string | undefined,
): string | undefined {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const filled = lines.filter((line) => line !== "").length;
  if (filled > most) return WORDS.tooMany(most, filled);
  for (const [index, line] of lines.entries()) {
    const fault = line === "" ? undefined : faultOf(line, index + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function ontologyFault(line: string, number: number): string | undefined {
  return line.length > MAX_ONTOLOGY_CHARACTERS ? WORDS.tooLong(number) : undefined;
}

function vaultFault(line: string, number: number): string | undefined {
  try {
    parseEName(line);
    return undefined;
  } catch {
    return WORDS.notEName(number);
  }
}
