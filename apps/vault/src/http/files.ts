import { isEName } from "@dataspace/protocol/ename";
import { isMediaType } from "../meta-envelopes/media-type.ts";
import { type FileReadDeps, findBlob, locateFile, openBlob } from "../operations/queries/read-file.ts";
import { type AddressedDeps, addressedCaller } from "./addressed-request.ts";
import { BLOB_HEADERS, contentDisposition } from "./download-headers.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** The dependencies of the file endpoints. */
export interface FilesDoorDeps {
  readonly addressed: AddressedDeps;
  readonly fileDeps: FileReadDeps;
}

type BlobRequest = FastifyRequest<{
  Params: { readonly owner: string; readonly blobKey: string };
  Querystring: Readonly<Record<string, unknown>>;
}>;

/**
 * GET and HEAD /files/:id redirect a caller who may READ the MetaEnvelope to its bytes. The answer is 302 to an address
 * of GET and HEAD /blobs/…, which needs no header, so that a browser can show or save it.
 *
 * Refuses: UNAUTHENTICATED (401), NOT_FOUND (404, the same for absent, removed, unreadable and not a file),
 * STORAGE_UNAVAILABLE.
 * Source: decisions V2, V15.
 */
export function mountFiles(app: FastifyInstance, deps: FilesDoorDeps): void {
  app.get<{ Params: { readonly id: string } }>("/files/:id", async (request, reply) => {
    const caller = await addressedCaller(deps.addressed, request);
    const address = await locateFile(deps.fileDeps, caller, request.params.id);
    return reply.header("cache-control", "no-store").redirect(address, 302);
  });
  app.route({
    method: ["GET", "HEAD"],
    url: "/blobs/:owner/:blobKey",
    handler: async (request, reply) => {
      const asked = request as BlobRequest;
      const owner = `@${asked.params.owner}`;
      // A vault that has moved answers for its files at the new place.
      if (isEName(owner)) await deps.addressed.findVault(owner);
      return sendBlob(deps.fileDeps, asked, reply);
    },
  });
}

async function sendBlob(deps: FileReadDeps, request: BlobRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { params, query, headers } = request;
  const { file, payload } = await findBlob(deps, { ...params, query });
  const etag = `"${file.blobKey}"`;
  reply.headers(BLOB_HEADERS).header("etag", etag);
  if (headers["if-none-match"]?.split(",").some((tag) => tag.trim() === etag)) return reply.code(304).send();
  // Anybody who may update the MetaEnvelope may have changed these two.
  const { filename, contentType } = payload;
  reply
    .header("content-disposition", contentDisposition(filename))
    .header("content-type", isMediaType(contentType) ? contentType : "application/octet-stream")
    .header("content-length", file.sizeBytes);
  return request.method === "HEAD" ? reply.send() : reply.send(await openBlob(deps, file));
}
