import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { JsonSchema } from "./open-api.ts";
import { inline } from "./prose.ts";

/** One member of an object, or one parameter. */
export interface Member {
  readonly name: string;
  readonly required: boolean;
  readonly description?: string | undefined;
  readonly schema: JsonSchema;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  object: "object",
  null: "null",
};
const FORMAT_WORDS: Readonly<Record<string, string>> = { uuid: "UUID", "date-time": "ISO 8601 time" };

/**
 * Shows members with their types and nested members, one below the other so that they fit any window. Refuses: never.
 */
export function memberList(members: readonly Member[]): Html {
  return html`<dl class="members">${members.map(member)}</dl>`;
}

/** The members of an object's schema. Refuses: never. */
export function membersOf({ properties = {}, required = [] }: JsonSchema): readonly Member[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    description: schema.description,
    schema,
  }));
}

/** Describes a value's type in words; a named schema is a link. Refuses: never. */
export function typeWords(schema: JsonSchema): Html {
  const { $ref, anyOf, items, type } = schema;
  if ($ref !== undefined) return refLink($ref);
  if (schema.enum !== undefined)
    return alternatives(schema.enum.map((one) => html`<code>${JSON.stringify(one)}</code>`));
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (anyOf !== undefined) return alternatives(anyOf.map(typeWords));
  if (items !== undefined) return html`list of ${typeWords(items)}`;
  const words =
    FORMAT_WORDS[schema.format ?? ""] ??
    [type ?? "object"]
      .flat()
      .map((one) => TYPE_WORDS[one])
      .join(" or ");
  return html`${words}`;
}

/** The object within a schema whose members are shown with it: itself, or that of a list or of one alternative. */
export function innerObject(schema: JsonSchema): JsonSchema | undefined {
  if (schema.properties !== undefined) return schema;
  if (schema.items !== undefined) return innerObject(schema.items);
  return schema.anyOf?.map(innerObject).find((one) => one !== undefined);
}

function member({ name, required, description, schema }: Member): Html {
  const inner = innerObject(schema);
  return html`<dt><code>${name}</code> <span class="muted small">${typeWords(schema)}${limits(schema)}${required || schema.default !== undefined ? "" : ", optional"}</span></dt>
<dd>${description === undefined ? "" : html`<p>${inline(description)}</p>`}${inner === undefined ? "" : memberList(membersOf(inner))}</dd>`;
}

function limits(schema: JsonSchema): string {
  const { minimum, maximum, minLength, maxLength, maxItems } = schema;
  const given = [
    range(minimum, maximum, ""),
    range(minLength, maxLength, " characters"),
    range(undefined, maxItems, " entries"),
    schema.default === undefined
      ? undefined
      : `otherwise ${[schema.default].flat().length === 0 ? "none" : JSON.stringify(schema.default)}`,
  ];
  return given.map((one) => (one === undefined ? "" : `, ${one}`)).join("");
}

function range(from: number | undefined, to: number | undefined, what: string): string | undefined {
  if (from === undefined) return to === undefined ? undefined : `at most ${amount(to)}${what}`;
  return to === undefined ? `at least ${amount(from)}${what}` : `${amount(from)} to ${amount(to)}${what}`;
}

function amount(value: number): string {
  return value.toLocaleString("en");
}

function alternatives(all: readonly Html[]): Html {
  return html`${all.map((one, place) => html`${place > 0 && " or "}${one}`)}`;
}

function refLink(ref: string): Html {
  const name = ref.slice(ref.lastIndexOf("/") + 1);
  return html`<a href="#shape-${name}">${name}</a>`;
}
