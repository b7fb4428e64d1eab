import { PrismaPg } from "@prisma/adapter-pg";
import { getPrismaClient } from "@prisma/client/runtime/client";
import type { PrismaDatabase, PrismaExecutor } from "./prisma.ts";

/** A row of the table of these tests. */
interface Post {
  readonly id: string;
  readonly text: string | null;
  readonly owner: string | null;
}

/** A client, or the client of an interactive transaction, with the calls that tests make. */
export interface TestPrismaClient extends PrismaExecutor {
  readonly posts: {
    readonly create: (args: { readonly data: Partial<Post> }) => Promise<Post>;
    readonly findUnique: (args: { readonly where: { readonly id: string } }) => Promise<Post | null>;
    readonly update: (args: { readonly where: { readonly id: string }; readonly data: Partial<Post> }) => Promise<Post>;
    readonly delete: (args: { readonly where: { readonly id: string } }) => Promise<Post>;
  };
}

/** A connected client. */
export interface ConnectedPrismaClient extends TestPrismaClient, PrismaDatabase<TestPrismaClient> {
  readonly $disconnect: () => Promise<void>;
}

/**
 * Opens a Prisma client on a PostgreSQL database with the table `posts`.
 *
 * The configuration is what `prisma generate` 7.10.0 writes for the schema. It stands here because the package `prisma`
 * fetches an engine at each generation, and brings 150 packages with it.
 */
export function openPrismaClient(connectionString: string): ConnectedPrismaClient {
  const Client = getPrismaClient(CONFIG as never) as unknown as new (options: object) => ConnectedPrismaClient;
  return new Client({ adapter: new PrismaPg({ connectionString }) });
}

/** The part of WebAssembly that is used here; it is not among the types of Node. */
interface WasmModules {
  readonly Module: new (bytes: Uint8Array) => object;
}

/** Modules without types. */
const RUNTIME = "@prisma/client/runtime/query_compiler_fast_bg.postgresql";

const SCHEMA = `generator client {
  provider = "prisma-client"
  output   = "../generated"
}

datasource db {
  provider = "postgresql"
}

model posts {
  id    String  @id
  text  String?
  owner String?
}
`;

const GRAPH = [
  "KwkQBhoAACMAMBsAAAQAEBwAACMAMB0BAAAAAR4BACUAIR8BACUAIQEAAAABACABAAAAAQAgBhoAACMAMBsAAAQAEBwAACMAMB0BACQAIR4BAC",
  "UAIR8BACUAIQIeAAAmACAfAAAmACADAAAABAAgAwAABQAwBAAAAQAgAwAAAAQAIAMAAAUAMAQAAAEAIAMAAAAEACADAAAFADAEAAABACADHQEA",
  "AAABHgEAAAABHwEAAAABAQgAAAkAIAMdAQAAAAEeAQAAAAEfAQAAAAEBCAAACwAwAQgAAAsAMAMdAQAqACEeAQArACEfAQArACECAAAAAQAgCA",
  "AADgAgAx0BACoAIR4BACsAIR8BACsAIQIAAAAEACAIAAAQACACAAAABAAgCAAAEAAgAwAAAAEAIA8AAAkAIBAAAA4AIAEAAAABACABAAAABAAg",
  "BRUAACcAIBYAACkAIBcAACgAIB4AACYAIB8AACYAIAYaAAAaADAbAAAXABAcAAAaADAdAQAbACEeAQAcACEfAQAcACEDAAAABAAgAwAAFgAwFA",
  "AAFwAgAwAAAAQAIAMAAAUAMAQAAAEAIAYaAAAaADAbAAAXABAcAAAaADAdAQAbACEeAQAcACEfAQAcACEOFQAAIQAgFgAAIgAgFwAAIgAgIAEA",
  "AAABIQEAAAAEIgEAAAAEIwEAAAABJAEAAAABJQEAAAABJgEAAAABJwEAAAABKAEAAAABKQEAAAABKgEAIAAhDhUAAB4AIBYAAB8AIBcAAB8AIC",
  "ABAAAAASEBAAAABSIBAAAABSMBAAAAASQBAAAAASUBAAAAASYBAAAAAScBAAAAASgBAAAAASkBAAAAASoBAB0AIQ4VAAAeACAWAAAfACAXAAAf",
  "ACAgAQAAAAEhAQAAAAUiAQAAAAUjAQAAAAEkAQAAAAElAQAAAAEmAQAAAAEnAQAAAAEoAQAAAAEpAQAAAAEqAQAdACEIIAIAAAABIQIAAAAFIg",
  "IAAAAFIwIAAAABJAIAAAABJQIAAAABJgIAAAABKgIAHgAhCyABAAAAASEBAAAABSIBAAAABSMBAAAAASQBAAAAASUBAAAAASYBAAAAAScBAAAA",
  "ASgBAAAAASkBAAAAASoBAB8AIQ4VAAAhACAWAAAiACAXAAAiACAgAQAAAAEhAQAAAAQiAQAAAAQjAQAAAAEkAQAAAAElAQAAAAEmAQAAAAEnAQ",
  "AAAAEoAQAAAAEpAQAAAAEqAQAgACEIIAIAAAABIQIAAAAEIgIAAAAEIwIAAAABJAIAAAABJQIAAAABJgIAAAABKgIAIQAhCyABAAAAASEBAAAA",
  "BCIBAAAABCMBAAAAASQBAAAAASUBAAAAASYBAAAAAScBAAAAASgBAAAAASkBAAAAASoBACIAIQYaAAAjADAbAAAEABAcAAAjADAdAQAkACEeAQ",
  "AlACEfAQAlACELIAEAAAABIQEAAAAEIgEAAAAEIwEAAAABJAEAAAABJQEAAAABJgEAAAABJwEAAAABKAEAAAABKQEAAAABKgEAIgAhCyABAAAA",
  "ASEBAAAABSIBAAAABSMBAAAAASQBAAAAASUBAAAAASYBAAAAAScBAAAAASgBAAAAASkBAAAAASoBAB8AIQAAAAABKwEAAAABASsBAAAAAQAAAA",
  "ADFQAGFgAHFwAIAAAAAxUABhYABxcACAECAQIDAQUGAQYHAQcIAQkKAQoMAgsNAwwPAQ0RAg4SBBETARIUARMVAhgYBRkZCQ",
].join("");

const CONFIG = {
  previewFeatures: [],
  clientVersion: "7.10.0",
  engineVersion: "0edf323efd1d98336f3f0a68684b56f689b900d3",
  activeProvider: "postgresql",
  inlineSchema: SCHEMA,
  runtimeDataModel: {
    models: {
      posts: {
        fields: [
          { name: "id", kind: "scalar", type: "String" },
          { name: "text", kind: "scalar", type: "String" },
          { name: "owner", kind: "scalar", type: "String" },
        ],
        dbName: null,
        schema: null,
      },
    },
    enums: {},
    types: {},
  },
  parameterizationSchema: {
    strings: [
      "where",
      "posts.findUnique",
      "posts.findUniqueOrThrow",
      "orderBy",
      "cursor",
      "posts.findFirst",
      "posts.findFirstOrThrow",
      "posts.findMany",
      "data",
      "posts.createOne",
      "posts.createMany",
      "posts.createManyAndReturn",
      "posts.updateOne",
      "posts.updateMany",
      "posts.updateManyAndReturn",
      "create",
      "update",
      "posts.upsertOne",
      "posts.deleteOne",
      "posts.deleteMany",
      "having",
      "_count",
      "_min",
      "_max",
      "posts.groupBy",
      "posts.aggregate",
      "AND",
      "OR",
      "NOT",
      "id",
      "text",
      "owner",
      "equals",
      "in",
      "notIn",
      "lt",
      "lte",
      "gt",
      "gte",
      "contains",
      "startsWith",
      "endsWith",
      "not",
      "set",
    ],
    graph: GRAPH,
  },
  compilerWasm: {
    getRuntime: () => import(`${RUNTIME}.mjs`),
    getQueryCompilerWasmModule: async () => {
      const { wasm } = await import(`${RUNTIME}.wasm-base64.mjs`);
      const { Module } = (globalThis as unknown as { readonly WebAssembly: WasmModules }).WebAssembly;
      return new Module(Buffer.from(wasm, "base64"));
    },
    importName: "./query_compiler_fast_bg.js",
  },
};
