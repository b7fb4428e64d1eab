/** A receiver for one framework: a whole program, or the file of a route. */
export interface ReceiverSnippet {
  readonly id: string;
  readonly title: string;
  readonly code: string;
}

interface Framework {
  readonly id: string;
  readonly title: string;
  readonly first: readonly string[];
  /** Imports of the receiver package besides the two that every receiver needs. */
  readonly imports: readonly string[];
  readonly end: (path: string) => readonly string[];
}

const MEMORY = 'import { createMemoryWebhookStore } from "@dataspace/receiver/memory-webhook-store";';
const RECEIVER = 'import { createWebhookReceiver } from "@dataspace/receiver/webhook-receiver";';
const OPTIONS = [
  "  secrets: [process.env.WEBHOOK_SECRET],",
  "  store: createMemoryWebhookStore(),",
  "  onEvent: (event) => console.log(event.operation, event.id, event.data),",
  "  onError: console.error,",
  "});",
];

const FRAMEWORKS: readonly Framework[] = [
  {
    id: "express",
    title: "Express",
    first: ['import express from "express";'],
    imports: ['import { expressWebhook } from "@dataspace/receiver/express";'],
    end: (path) => [
      "const app = express();",
      `app.post(${path}, expressWebhook(receive));`,
      "app.listen(Number(process.env.PORT));",
    ],
  },
  {
    id: "fastify",
    title: "Fastify",
    first: ['import fastify from "fastify";'],
    imports: ['import { fastifyWebhook } from "@dataspace/receiver/fastify";'],
    end: (path) => [
      "const app = fastify();",
      `app.register(fastifyWebhook(receive, ${path}));`,
      "await app.listen({ port: Number(process.env.PORT) });",
    ],
  },
  {
    id: "hono",
    title: "Hono",
    first: ['import { createServer } from "node:http";', 'import { Hono } from "hono";'],
    imports: [
      'import { honoWebhook } from "@dataspace/receiver/hono";',
      'import { nodeWebhook } from "@dataspace/receiver/node-http";',
    ],
    end: (path) => [
      `const app = new Hono().post(${path}, honoWebhook(receive));`,
      "createServer(nodeWebhook(async (request) => app.fetch(request))).listen(Number(process.env.PORT));",
    ],
  },
];

/**
 * Writes a receiver of the package `@dataspace/receiver` for each framework, on the path of an endpoint. They are the
 * programs of that package's README. Refuses: never.
 */
export function receiverSnippets(targetUrl: string): readonly ReceiverSnippet[] {
  const { pathname } = new URL(targetUrl);
  const path = JSON.stringify(pathname);
  const written = FRAMEWORKS.map(({ id, title, first, imports, end }) => ({
    id,
    title,
    code: [
      ...first,
      ...[MEMORY, RECEIVER, ...imports].sort((a, b) => (moduleOf(a) < moduleOf(b) ? -1 : 1)),
      "",
      "const receive = createWebhookReceiver({",
      ...OPTIONS,
      ...end(path),
    ].join("\n"),
  }));
  const route = [
    `// app${pathname}/route.ts`,
    MEMORY,
    RECEIVER,
    "",
    "export const POST = createWebhookReceiver({",
    ...OPTIONS,
  ];
  return [...written, { id: "next", title: "Next.js", code: route.join("\n") }];
}

function moduleOf(importLine: string): string {
  return importLine.slice(importLine.indexOf('"'));
}
