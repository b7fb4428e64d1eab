/** The ontology of binding documents: only their own mutations write it (S1 Binding document). */
export const BINDING_DOCUMENT_ONTOLOGY = "b1d0a8c3-4e5f-6789-0abc-def012345678";

/** The ontology of an owner's access policy for platforms (decision A2). */
export const ACCESS_POLICY_ONTOLOGY = "c7a41f6d-95b8-4e2a-9c33-8f0d1b6e4a72";

/** The ontology of files that uploadFile wrote: a slug, not a UUID (decisions V15 and V19). */
export const FILE_ONTOLOGY = "ds-file-v1";

/**
 * The ids of the ontologies that platforms share, by title.
 *
 * Source: decision A5.
 */
export const ONTOLOGY_ID = {
  AccessGrant: "15d24c04-a4f3-4e45-a00e-0123926fbc87",
  Account: "6fda64db-fd14-4fa2-bd38-77d2e5e6136d",
  Bookmark: "550e8400-e29b-41d4-a716-446655440005",
  CalendarAvailability: "a92c3675-dbc8-44f6-b24e-520eeadb8864",
  CalendarEvent: "880e8400-e29b-41d4-a716-446655440099",
  CharterSignature: "1d83fada-581d-49b0-b6f5-1fe0766da34f",
  Chat: "550e8400-e29b-41d4-a716-446655440003",
  CommunityActivity: "c0117a17-1b2c-4d3e-8f4a-5b6c7d8e9f01",
  Company: "0f9a3cb8-4a9f-4b5f-a1fa-3a4c2eb1f402",
  CompanyProjectLink: "0f9a3cb8-4a9f-4b5f-a1fa-3a4c2eb1f409",
  ContributorCapacity: "0f9a3cb8-4a9f-4b5f-a1fa-3a4c2eb1f404",
  Currency: "550e8400-e29b-41d4-a716-446655440008",
  File: "a1b2c3d4-e5f6-7890-abcd-ef1234567890",
  GroupManifest: "a8bfb7cf-3200-4b25-9ea9-ee41100f212e",
  Ledger: "550e8400-e29b-41d4-a716-446655440006",
  Membership: "0f9a3cb8-4a9f-4b5f-a1fa-3a4c2eb1f408",
  Message: "550e8400-e29b-41d4-a716-446655440004",
  Poll: "660e8400-e29b-41d4-a716-446655440100",
  ProfessionalProfile: "550e8400-e29b-41d4-a716-446655440009",
  Project: "0f9a3cb8-4a9f-4b5f-a1fa-3a4c2eb1f403",
  Reference: "c20e9437-02a4-4917-8cee-de35dabbdb6a",
  Signature: "b2c3d4e5-f6a7-8901-bcde-f12345678901",
  SocialMediaPost: "550e8400-e29b-41d4-a716-446655440001",
  Task: "0f9a3cb8-4a9f-4b5f-a1fa-3a4c2eb1f401",
  TaskAttachment: "0f9a3cb8-4a9f-4b5f-a1fa-3a4c2eb1f407",
  TaskNote: "0f9a3cb8-4a9f-4b5f-a1fa-3a4c2eb1f406",
  TaskReference: "0f9a3cb8-4a9f-4b5f-a1fa-3a4c2eb1f405",
  User: "550e8400-e29b-41d4-a716-446655440000",
  Vote: "660e8400-e29b-41d4-a716-446655440101",
} as const;
