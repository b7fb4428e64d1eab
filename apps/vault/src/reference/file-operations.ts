import { z } from "zod";
import { addressedOwner, EXAMPLE_ENAME, type VaultGroup } from "./vault-operation.ts";

const EXAMPLE_ID = "019aab12-6f0e-7c4d-8a31-5e2f4b6c7d80";
const bytes = {
  status: 200,
  says: "The bytes, to be saved and not shown.",
  mediaType: "application/octet-stream",
  schema: z.string(),
};
const unchanged = { status: 304, says: "The bytes are those of `If-None-Match`." };
const blobPath = z.strictObject({
  owner: z.string().meta({ examples: [EXAMPLE_ENAME] }),
  blobKey: z.string().meta({ examples: [EXAMPLE_ID] }),
});

/** Files. They are uploaded by the mutation `uploadFile`. Source: decision V15. */
export const fileOperations: VaultGroup = {
  name: "Files",
  says: "A file is a record with the ontology `ds-file-v1`. It is uploaded by the GraphQL mutation `uploadFile`.",
  schemas: {},
  operations: [
    {
      id: "locateFile",
      method: "get",
      route: "/files/:id",
      summary: "Find the bytes of a file",
      says: "It redirects to an address that works in a browser: a lasting one for files that everybody may read, a signed one of a few minutes for others.",
      caller: "caller",
      headers: addressedOwner,
      path: z.strictObject({
        id: z
          .string()
          .describe("The record's id.")
          .meta({ examples: [EXAMPLE_ID] }),
      }),
      answers: [{ status: 302, says: "The address is in `Location`." }],
      refuses: ["UNAUTHENTICATED", "NOT_FOUND"],
    },
    {
      id: "readFile",
      method: "get",
      route: "/blobs/:owner/:blobKey",
      summary: "Read the bytes of a file",
      says: "The address comes from `/files/:id` and needs no header.",
      caller: "anybody",
      path: blobPath,
      answers: [bytes, unchanged],
      refuses: ["NOT_FOUND"],
    },
    {
      id: "describeFile",
      method: "head",
      route: "/blobs/:owner/:blobKey",
      summary: "Read the size and type of a file",
      says: "The headers of the bytes, without them.",
      caller: "anybody",
      path: blobPath,
      answers: [{ status: 200, says: "The headers." }, unchanged],
      refuses: ["NOT_FOUND"],
    },
  ],
};
