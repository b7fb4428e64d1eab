/**
 * The reserved values in a challenge's body: an owner that no registry knows, and a reserved ontology. An event has
 * other values in its signed body, whatever a record contains. Source: decision E9.
 */
export const WEBHOOK_CHALLENGE = {
  dsid: "@00000000-0000-0000-0000-000000000000",
  schemaId: "5c1e3a7f-9b24-4d68-8f10-2a6b7c8d9e0f",
} as const;

/** Distinguishes a challenge from an event by the members of its signed body. Refuses: never. Source: decision E9. */
export function isWebhookChallenge({ dsid, schemaId }: { readonly dsid: string; readonly schemaId: string }): boolean {
  return dsid === WEBHOOK_CHALLENGE.dsid && schemaId === WEBHOOK_CHALLENGE.schemaId;
}
