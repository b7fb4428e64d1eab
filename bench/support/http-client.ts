import { connect, type Socket } from "node:net";

/** One keep-alive connection: one request at a time, the answer's body only counted and looked through. */
export interface HttpClient {
  /** In: a whole HTTP/1.1 request. Refuses: an answer that is not 200 or that carries GraphQL or mutation errors. */
  readonly send: (request: string) => Promise<void>;
  readonly close: () => void;
}

const HEAD_END = Buffer.from("\r\n\r\n");
const FAULT = Buffer.from('"errors":[{');
const LENGTH = /\r\ncontent-length: *(\d+)/i;

/**
 * Opens a connection to a server on this machine. It does little per answer on purpose: the load must cost less than what is
 * measured, on a machine that both share.
 *
 * Refuses: the socket's error.
 */
export async function openHttpClient(port: number): Promise<HttpClient> {
  let pending: PromiseWithResolvers<void> | undefined;
  let missingBytes = 0;
  const fail = (error: Error) => pending?.reject(error);
  const socket = await open(port, (chunk) => {
    try {
      missingBytes = missingBytes === 0 ? startAnswer(chunk) : missingBytes - chunk.length;
    } catch (error) {
      fail(error as Error);
    }
    if (chunk.includes(FAULT)) fail(new Error(`the answer has errors: ${chunk.toString().slice(0, 2_000)}`));
    if (missingBytes === 0) pending?.resolve();
  });
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("the server closed the connection")));
  return {
    send: (request) => {
      pending = Promise.withResolvers<void>();
      socket.write(request, "latin1");
      return pending.promise;
    },
    close: () => {
      pending = undefined;
      socket.destroy();
    },
  };
}

/** Out: how many bytes of the answer are still to come. */
function startAnswer(chunk: Buffer): number {
  const headEnd = chunk.indexOf(HEAD_END);
  const head = chunk.toString("latin1", 0, Math.max(0, headEnd));
  const length = LENGTH.exec(head)?.[1];
  if (length === undefined || !head.startsWith("HTTP/1.1 200")) {
    throw new Error(`not an answer with 200 and a length: ${chunk.toString().slice(0, 2_000)}`);
  }
  return headEnd + HEAD_END.length + Number(length) - chunk.length;
}

function open(port: number, onChunk: (chunk: Buffer) => void): Promise<Socket> {
  const buffer = Buffer.allocUnsafe(65_536);
  return new Promise((resolve, reject) => {
    const callback = (bytes: number) => {
      onChunk(buffer.subarray(0, bytes));
      return true;
    };
    const socket = connect({ host: "127.0.0.1", port, noDelay: true, onread: { buffer, callback } });
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });
}
