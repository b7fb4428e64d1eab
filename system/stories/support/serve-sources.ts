import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { stripTypeScriptTypes } from "node:module";
import type { AddressInfo } from "node:net";
import path from "node:path";

const ROOT = path.join(import.meta.dirname, "../../..");
const PACKAGES: readonly string[] = ["protocol", "clients", "wallet"];

/** Where a browser finds what the packages import by name. */
const IMPORTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(PACKAGES.map((name) => [`@dataspace/${name}/`, `/packages/${name}/src/`])),
  "@scure/base": "/node_modules/@scure/base/index.js",
  uuid: "/node_modules/uuid/dist/index.js",
  jose: "/node_modules/jose/dist/webapi/index.js",
  "lru-cache": "/node_modules/lru-cache/dist/esm/browser/index.min.js",
};

/** Serves an empty page and the project's own sources with types removed: it runs in a browser without a bundler. */
export async function serveSources(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const page = `<!doctype html><title>Sources</title><script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>`;
    try {
      const text = pathname === "/" ? page : await readSource(pathname);
      response.setHeader("content-type", pathname === "/" ? "text/html" : "text/javascript").end(text);
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, [Symbol.asyncDispose]: close };
}

async function readSource(pathname: string): Promise<string> {
  if (pathname.startsWith("/node_modules/")) return readFile(path.join(ROOT, pathname), "utf8");
  const file = path.extname(pathname) === ".ts" ? pathname : `${pathname}.ts`;
  return stripTypeScriptTypes(await readFile(path.join(ROOT, file), "utf8"));
}
