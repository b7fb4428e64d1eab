import type { WalletLoginDoor } from "./wallet-login-door.ts";

/** Makes Hono middleware: `app.use(honoWalletLogin(door))`. Refuses: what the door throws, to Hono's error handling. */
export function honoWalletLogin(
  door: WalletLoginDoor,
): (context: { readonly req: { readonly raw: Request } }, next: () => Promise<void>) => Promise<Response | undefined> {
  return async (context, next) => {
    const response = await door.handle(context.req.raw);
    if (response === undefined) await next();
    return response;
  };
}
