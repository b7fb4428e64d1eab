import { parseUrl } from "@dataspace/protocol/parse-url";
import { parseFileUri } from "@dataspace/protocol/wallet-uri";
import type { EName } from "@dataspace/protocol/ename";
import type { JsonObject } from "@dataspace/protocol/meta-envelope";
import { readCallbackAddress } from "./callback-address.ts";
import { readSignData } from "./sign-data.ts";
import { assertSession } from "./sign-session.ts";
import { describeText, type TextMeaning } from "./text-meaning.ts";
import { readUriParameters, type UriParameters } from "./uri-parameters.ts";
import { WalletError } from "./wallet-error.ts";

/** A platform asks who the person is: `text`, the session, is signed and sent to `redirect`. */
export interface AuthRequest {
  readonly kind: "auth";
  readonly session: string;
  readonly text: string;
  readonly meaning: TextMeaning;
  readonly redirect: string;
  /** The platform's own name for itself; nobody has checked it. */
  readonly platform: string | undefined;
  readonly logo: string | undefined;
}

/** A platform asks for a signature over `text`, which must be shown in full first; the signature goes to `redirect`. */
export interface SignRequest {
  readonly kind: "sign";
  readonly session: string;
  readonly text: string;
  readonly meaning: TextMeaning;
  readonly redirect: string;
  /** What accompanies the message in the request's data; none of it is signed. */
  readonly context: JsonObject;
}

/** A file in a vault. */
export interface FileRequest {
  readonly kind: "file";
  readonly ename: EName;
  readonly metaEnvelopeId: string;
}

/** What an address asks of a wallet. */
export type WalletRequest = AuthRequest | SignRequest | FileRequest;

const MAX_CHARS = 65_536;
const CONTROL = /\p{Cc}/u;
const SHAPE = /^(?:ds:\/\/(auth|sign|file)\/?|https?:\/\/[^?#]+)\?([^#]*)$/i;

/**
 * Parses what a person scanned or pasted: `ds://auth`, `ds://sign`, `ds://file`, or an equivalent HTTP address.
 *
 * In: at most 64 KiB; surrounding white space is dropped. An HTTP address with `session` is auth when its path contains
 * `/api/auth` or it has `redirect`, otherwise sign when it has `redirect_uri`. An auth without either is answered at
 * the address itself.
 * Out: the validated request: what is signed, what signing it does, and where the answer goes.
 * Refuses: INVALID_URI, INVALID_SESSION, INVALID_REDIRECT, INVALID_SIGN_DATA, TOKEN_TO_SIGN.
 * Source: S1 Conventions; S2 "Login flow"; S3 "Sandbox"; decisions I8, I10, V15.
 */
export function parseWalletUri(text: string): WalletRequest {
  const address = text.length <= MAX_CHARS ? text.trim() : "";
  const [, act, query] = SHAPE.exec(address) ?? [];
  if (query === undefined || CONTROL.test(address)) throw unknownAddress();
  const parameters = readUriParameters(query);
  switch (act?.toLowerCase() ?? findAct(address, parameters)) {
    case "auth":
      return readAuth(parameters, act === undefined ? address : undefined);
    case "sign":
      return readSign(parameters);
    case "file":
      return readFile(address);
    default:
      throw unknownAddress();
  }
}

function findAct(address: string, parameters: UriParameters): "auth" | "sign" | undefined {
  const url = parseUrl(address);
  if (url === undefined || parameters.find("session") === undefined) return undefined;
  const isAuth = url.pathname.includes("/api/auth") || parameters.find("redirect") !== undefined;
  if (isAuth) return "auth";
  return parameters.find("redirect_uri") === undefined ? undefined : "sign";
}

function readAuth(parameters: UriParameters, httpAddress: string | undefined): AuthRequest {
  const session = readSession(parameters);
  assertSession(session);
  const named = parameters.find("redirect") ?? parameters.find("redirect_uri");
  return {
    kind: "auth",
    session,
    text: session,
    meaning: describeText(session),
    redirect: readCallbackAddress(named ?? httpAddress?.split("?")[0]),
    platform: parameters.findWords("name") ?? parameters.findWords("platform"),
    logo: readLogo(parameters.find("logo")),
  };
}

// A bad picture must not make a login fail.
function readLogo(text: string | undefined): string | undefined {
  const url = text === undefined ? undefined : parseUrl(text);
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

function readSign(parameters: UriParameters): SignRequest {
  const session = readSession(parameters);
  const redirect = readCallbackAddress(parameters.find("redirect_uri"));
  const data = parameters.find("data");
  if (data === undefined) assertSession(session);
  const { message, context } = data === undefined ? { message: session, context: {} } : readSignData(data, session);
  return { kind: "sign", session, text: message, meaning: describeText(message), redirect, context };
}

function readSession(parameters: UriParameters): string {
  const session = parameters.find("session");
  if (session !== undefined) return session;
  throw new WalletError("INVALID_URI", "The address names no session. Ask the platform for a new code.");
}

function readFile(address: string): FileRequest {
  try {
    return { kind: "file", ...parseFileUri(address) };
  } catch (cause) {
    throw new WalletError(
      "INVALID_URI",
      "This is not a file's address. It reads ds://file?id=@<ename>/<id>; copy it whole.",
      { cause },
    );
  }
}

function unknownAddress(): WalletError {
  return new WalletError(
    "INVALID_URI",
    "The wallet cannot act on this address. It takes ds://auth, ds://sign and ds://file, or an https address with a session; copy it whole.",
  );
}
