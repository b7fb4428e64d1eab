import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type ErrorAnswer, errorToAnswer } from "./error-answer.ts";
import { Refusal } from "./refusal.ts";
import type { FastifyInstance } from "fastify";

const PARSER_REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: new Refusal("BAD_REQUEST", "The request's headers are larger than 16 KiB.", { status: 431 }),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new Refusal("PAYLOAD_TOO_LARGE", "The chunk extensions of the body are too large.", {
    status: 413,
  }),
  ERR_HTTP_REQUEST_TIMEOUT: new Refusal("REQUEST_TIMEOUT", "The request did not arrive in time; send it again.", {
    status: 408,
  }),
};
const JSON_HEADERS = { "content-type": "application/json; charset=utf-8" };
const NO_HTTP = new Refusal("BAD_REQUEST", "The request is not valid HTTP/1.1.", { status: 400 });
const NO_TUNNEL = new Refusal("METHOD_NOT_ALLOWED", "This server is not a proxy and does not serve CONNECT.", {
  status: 405,
});
const NO_EXPECTATION = new Refusal("BAD_REQUEST", "The header Expect may only be 100-continue.", { status: 417 });

/**
 * Answers what Node's parser refuses before it becomes a request, with the same body as every other refusal, and closes
 * the connection. Refuses: never. Source: decision V2.
 */
export function answerParserFault(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
  else endWith(socket, errorToAnswer(PARSER_REFUSALS[error.code ?? ""] ?? NO_HTTP));
}

/**
 * Answers a CONNECT request and an unknown expectation, which Node would answer with an empty body. Source: decision
 * V2.
 */
export function answerUnservedRequests({ server }: FastifyInstance): void {
  server.on("connect", (_request, socket: Duplex) => endWith(socket, errorToAnswer(NO_TUNNEL)));
  server.on("checkExpectation", (_request, response) => {
    const { status, body } = errorToAnswer(NO_EXPECTATION);
    const text = JSON.stringify(body);
    response.writeHead(status, { ...JSON_HEADERS, "content-length": Buffer.byteLength(text), connection: "close" });
    response.end(text);
  });
}

function endWith(socket: Duplex, { status, body }: ErrorAnswer): void {
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${JSON_HEADERS["content-type"]}`,
    `content-length: ${Buffer.byteLength(text)}`,
    "connection: close",
  ];
  socket.on("error", () => socket.destroy());
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`, () => socket.destroy());
}
