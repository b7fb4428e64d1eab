import { z } from "zod";
import { type AuthorityGroup, EXAMPLE_ID, idPath } from "./authority-operation.ts";

const certificate = { mediaType: "application/jwt", schema: z.string() };

/** Certificates, their revocation and their status. Source: decision A1; draft-ietf-oauth-status-list. */
export const certificateOperations: AuthorityGroup = {
  name: "Certificates",
  says: "What was issued, what is revoked, and the keys that verify both.",
  schemas: {},
  operations: [
    {
      id: "findCertificate",
      method: "get",
      route: "/certificates",
      summary: "Find the certificate of a release",
      says: "The newest one, unless it is revoked or has expired.",
      caller: "anybody",
      query: z.strictObject({
        platform: z
          .string()
          .describe("The platform's eName.")
          .meta({ examples: ["@7c0e8b5a-4f3d-4a41-9f4c-1d2e3f405162"] }),
        version: z
          .string()
          .max(64)
          .meta({ examples: ["1.4.0"] }),
      }),
      answers: [{ status: 200, says: "The certificate, a JWT.", ...certificate }],
      refuses: ["UNKNOWN_CERTIFICATE"],
    },
    {
      id: "readCertificate",
      method: "get",
      route: "/certificates/:jti",
      summary: "Read a certificate",
      says: "Revoked and expired ones too.",
      caller: "anybody",
      path: idPath("jti"),
      answers: [{ status: 200, says: "The certificate, a JWT.", ...certificate }],
      refuses: ["UNKNOWN_CERTIFICATE"],
    },
    {
      id: "revoke",
      method: "post",
      route: "/certificates/:jti/revoke",
      summary: "Revoke a certificate",
      says: "It sets the certificate's bit in its status list. It cannot be undone.",
      caller: "reviewer",
      path: idPath("jti"),
      body: {
        schema: z.strictObject({ reason: z.string().max(1_000) }),
        required: true,
        example: { reason: "The deployment's key was stolen." },
      },
      answers: [
        {
          status: 200,
          says: "It is revoked.",
          schema: z.strictObject({ jti: z.guid(), revokedAt: z.iso.datetime() }),
          example: { jti: EXAMPLE_ID, revokedAt: "2026-11-22T09:30:00.000Z" },
        },
      ],
      refuses: ["UNKNOWN_CERTIFICATE", "REVOKED"],
    },
    {
      id: "readStatusList",
      method: "get",
      route: "/status/:list",
      summary: "Read a status list",
      says: "A signed list with one bit for each certificate. Cache it for 300 seconds.",
      caller: "anybody",
      path: z.strictObject({
        list: z
          .int()
          .min(0)
          .meta({ examples: [0] }),
      }),
      answers: [{ status: 200, says: "The list.", mediaType: "application/statuslist+jwt", schema: z.string() }],
      refuses: ["UNKNOWN_LIST"],
    },
    {
      id: "readKeys",
      method: "get",
      route: "/.well-known/jwks.json",
      summary: "Read the authority's public keys",
      says: "A JWK set (RFC 7517), retired keys included. Cache it for 300 seconds.",
      caller: "anybody",
      answers: [
        {
          status: 200,
          says: "The keys.",
          schema: z.strictObject({ keys: z.array(z.looseObject({ kid: z.string() })) }),
        },
      ],
      refuses: [],
    },
  ],
};
