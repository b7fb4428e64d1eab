import { refusal } from "../errors.ts";
import { openIdeFiles, readFrameFile } from "../ide/ide-files.ts";
import { setIdeHeaders } from "./ide-headers.ts";
import type { FastifyInstance } from "fastify";

/** Where Altair's files are, below `/`. */
export const IDE_FILES_PATH = "graphiql/app/";

const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";

/** Serves the files of the IDE's frame. Refuses: NOT_FOUND (404) for any other path. Source: decision V2. */
export function mountIdeFiles(app: FastifyInstance): void {
  const readIdeFile = openIdeFiles();
  const [script, style] = [readFrameFile("start.mjs"), readFrameFile("frame.css")];
  app.get("/graphiql/start.js", async (_request, reply) => setIdeHeaders(reply).type(SCRIPT).send(script));
  app.get("/graphiql/frame.css", async (_request, reply) => setIdeHeaders(reply).type(STYLE).send(style));
  app.get<{ Params: { "*": string } }>(`/${IDE_FILES_PATH}*`, async ({ params: { "*": path } }, reply) => {
    const file = await readIdeFile(path);
    if (file === undefined) throw refusal("NOT_FOUND", "The IDE has no such file; open it at /graphiql.");
    return setIdeHeaders(reply).type(file.type).send(file.bytes);
  });
}
