import { encodeBase64Url } from "./base64url.ts";

/** What a wallet is asked to sign, and where its answer goes. */
export interface SignRequestInput {
  readonly text: string;
  /** 16 to 128 of `[A-Za-z0-9_-]`; the answer names it. */
  readonly session: string;
  readonly redirectUri: string;
  /** What the wallet shows beside the text; it is not signed. */
  readonly shown: Readonly<Record<string, string>>;
}

/** Writes the address with which a wallet signs a text: `ds://sign?session=&data=&redirect_uri=`. Refuses: never. Source: decision I10. */
export function makeSignUri({ text, session, redirectUri, shown }: SignRequestInput): string {
  const data = JSON.stringify({ ...shown, message: text, sessionId: session });
  const parameters = {
    session,
    data: encodeBase64Url(new TextEncoder().encode(data)),
    redirect_uri: redirectUri,
  };
  // As components, since a wallet may read + as itself.
  return `ds://sign?${Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&")}`;
}
