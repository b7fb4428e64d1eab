import assert from "node:assert/strict";
import { test } from "node:test";
import Fastify from "fastify";
import { followRoutes } from "./served-methods.ts";

test("a path has the methods of the routes that match it, and is never treated as a route [decision V20]", () => {
  const app = Fastify();
  const servedMethods = followRoutes(app);
  app.get("/files/:id", async () => "");
  app.delete("/files/:id", async () => "");
  app.post("/graphql", async () => "");
  app.get("/app/*", async () => "");
  app.options("/*", async () => "");
  assert.deepEqual(servedMethods("/files/a1").toSorted(), ["DELETE", "GET", "HEAD"]);
  assert.deepEqual(servedMethods("/graphql"), ["POST"]);
  assert.deepEqual(servedMethods("/app/a/b.js").toSorted(), ["GET", "HEAD"]);
  for (const path of ["/", "/files", "/files/a/b", "/*", "/*/logs", "/:id", "//", "/%zz", "/files/:id/*", ""]) {
    assert.deepEqual(servedMethods(path), [], path);
  }
});
