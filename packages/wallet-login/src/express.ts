import type { ServerResponse } from "node:http";
import { type NodeRequest, nodeWalletLogin } from "./node-http.ts";
import type { WalletLoginDoor } from "./wallet-login-door.ts";

/** Makes Express middleware: `app.use(expressWalletLogin(door))`, before or after `express.json()`. Refuses: by `next(error)`. */
export function expressWalletLogin(
  door: WalletLoginDoor,
): (request: NodeRequest, response: ServerResponse, next: (error?: unknown) => void) => void {
  const serve = nodeWalletLogin(door);
  return (request, response, next) => {
    serve(request, response).then((isServed) => isServed || next(), next);
  };
}
