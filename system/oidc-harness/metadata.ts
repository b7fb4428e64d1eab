import assert from "node:assert/strict";
import type { Target } from "./target.ts";

/** A provider's discovery document. */
export type Metadata = Readonly<Record<string, unknown>>;

/** Reads the discovery document. Refuses: an AssertionError when it is not there or is another issuer's. Source: OpenID Discovery 4. */
export async function readMetadata({ issuer }: Pick<Target, "issuer">): Promise<Metadata> {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`);
  assert.equal(response.status, 200, "the discovery document is served");
  assert.match(response.headers.get("content-type") ?? "", /^application\/json/, "the discovery document is JSON");
  const metadata = (await response.json()) as Metadata;
  assert.equal(metadata["issuer"], issuer, "the discovery document names the issuer");
  return metadata;
}

/** A text of the discovery document. Refuses: an AssertionError when it is missing. */
export function metadataText(metadata: Metadata, name: string): string {
  const value = metadata[name];
  assert.ok(typeof value === "string", `discovery has ${name}`);
  return value;
}

/** A list of the discovery document; an absent one is empty. */
export function metadataList(metadata: Metadata, name: string): readonly unknown[] {
  const value = metadata[name] ?? [];
  assert.ok(Array.isArray(value), `${name} of discovery is an array`);
  return value;
}
