import { connect } from "node:net";

/** Sends bytes as they are to a server and gives what came back, for requests that no HTTP client would send. */
export function sendRaw(
  baseUrl: string,
  bytes: string | Buffer,
): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port } = new URL(baseUrl);
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const chunks: Buffer[] = [];
  const socket = connect(Number(port), hostname, () => socket.write(bytes));
  socket.setTimeout(5_000, () => socket.destroy(new Error("the server did not answer in 5 s")));
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.on("error", reject);
  socket.on("close", () => {
    const text = Buffer.concat(chunks).toString();
    resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text });
  });
  return promise;
}

/** Writes a request with header lines as given, closing the connection after the answer. */
export function rawRequest(line: string, headers: readonly string[], body = ""): string {
  const length = body === "" ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return [`${line} HTTP/1.1`, "Connection: close", ...headers, ...length, "", body].join("\r\n");
}
