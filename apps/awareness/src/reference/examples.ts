import { WEBHOOK_CHALLENGE } from "@dataspace/protocol/webhook-challenge";

// The data of the reference's examples. They belong together: the signatures are over this event and by these keys.

/** A record's change, as its subscribers receive it. */
export const EXAMPLE_EVENT: Readonly<Record<string, unknown>> = {
  eventId: "5f0c1c8e-7c1d-4f5e-9a35-0d6a1c2b3e4f",
  id: "0b6f4f0a-2f0d-4b8a-8f3e-6a1d2c3b4e5f",
  dsid: "@e4d909c2-90d7-4b1b-a7c9-3f6c1f2b8a10",
  schemaId: "550e8400-e29b-41d4-a716-446655440001",
  data: { title: "Hello", likes: 0 },
  vaultPublicKey: "zDnaerx9CtbPJ1q36T5Ln5wYt3MQYeGRG5ehnPAmxcf5mDZpv",
  operation: "create",
  streamVersion: 1,
  occurredAt: "2026-11-22T09:30:00.000Z",
};

/** The subscription that receives it, as answered at its creation. */
export const EXAMPLE_SUBSCRIPTION: Readonly<Record<string, unknown>> = {
  id: "8d3f5a52-6c1e-4e0b-9d57-2b1f0c9a7e64",
  targetUrl: "https://platform.example/webhooks",
  ontologyFilter: ["550e8400-e29b-41d4-a716-446655440001"],
  vaultFilter: [],
  active: true,
};

/** The secret of that subscription. */
export const EXAMPLE_SECRET = "whsec_ZGF0YXNwYWNlLWRvY3VtZW50YXRpb24tZXhhbXBsZSE=";

/** The public key by which the service signs in these examples: that of RFC 8037, appendix A. */
export const EXAMPLE_KEY: Readonly<Record<string, string>> = {
  kty: "OKP",
  crv: "Ed25519",
  x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
  alg: "EdDSA",
  use: "sig",
};

/** The headers of that event's first attempt. */
export const EXAMPLE_HEADERS: Readonly<Record<string, string>> = {
  "webhook-id": "5f0c1c8e-7c1d-4f5e-9a35-0d6a1c2b3e4f",
  "webhook-timestamp": "1795339801",
  "webhook-signature":
    "v1,/fO03bJk1uMoGODHCt8R3V7ewlYaHqkE3CJtf0I7b+4= v1a,/32AwgivYy5Bw0R1MluWsJR2nuifbKMtgk0Xsn86hXvrExx9OQsATD701dQcehOExQUtKZAf2EEi9jcOufa0CQ==",
  "webhook-binding": "v1a,B559Aq3AqYbu71w3DHX/4tJIBpgvRYm2X/381SRs4RSi59dme+y2beOd5vmVPBE9ydgJ0ziIvDu9FY1hrMMeDA==",
  "webhook-delivery-id": "019aab12-6f0e-7c4d-8a31-5e2f4b6c7d80",
  "webhook-attempt": "1",
  "webhook-subscription-id": "8d3f5a52-6c1e-4e0b-9d57-2b1f0c9a7e64",
};

/** The challenge that the subscription's target received before. */
export const EXAMPLE_CHALLENGE: Readonly<Record<string, unknown>> = {
  eventId: "c2f1a0de-5b7c-4f3d-8e6a-9b0c1d2e3f40",
  id: "41d6f0b7-0a9e-4a59-8a3b-6f5e4d3c2b1a",
  ...WEBHOOK_CHALLENGE,
  data: { challenge: true },
  vaultPublicKey: null,
  operation: "create",
  streamVersion: 1,
  occurredAt: "2026-11-22T09:00:00.000Z",
};

/** The headers of that challenge. */
export const EXAMPLE_CHALLENGE_HEADERS: Readonly<Record<string, string>> = {
  "webhook-id": "c2f1a0de-5b7c-4f3d-8e6a-9b0c1d2e3f40",
  "webhook-timestamp": "1795338000",
  "webhook-signature":
    "v1,x+0LwjnbRY53AsChFzUdDIEud8d/hdQnIZLZOV6aseA= v1a,tpgYyRciScB9MYppKfOUMsjZRBlOwhOsDdRvb7rTZYIHazFoYcdaEj6aBUu00sLcCrEXzhXwua4yuB9p7K5ZBA==",
  "webhook-binding": "v1a,0qmNkcjhY3ZSshdWBAo3bZKxd56TEZs4tcjsj89MvqvDCbcNYNDZiMScl8r/bsJddeDhuFnjS0p/ypkl3yJXCQ==",
  "webhook-delivery-id": "6e1d2c3b-4a59-4687-9786-a5b4c3d2e1f0",
  "webhook-attempt": "1",
  "webhook-subscription-id": "8d3f5a52-6c1e-4e0b-9d57-2b1f0c9a7e64",
  "webhook-type": "challenge",
};
