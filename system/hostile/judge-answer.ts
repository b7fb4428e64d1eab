import type { ErrorCodes } from "./error-codes.ts";
import type { RawAnswer } from "./raw-http.ts";

/** Server errors that the tables document as a result of load or of other parties; any other is a fault. */
const ALLOWED_SERVER_ERRORS = new Set([
  "BUSY",
  "TRY_AGAIN",
  "RESULT_TOO_LARGE",
  "QUOTA_EXCEEDED",
  "REGISTRY_UNAVAILABLE",
  "CHALLENGE_STORE_FULL",
]);
/** Statuses with which the HTTP layer says BAD_REQUEST: for an unknown expectation, and for headers that are too large. */
const STATUSES_OF_HTTP: ReadonlySet<number> = new Set([417, 431]);
/** Longer parts of an answer do not help to read a fault. */
const SHOWN = 200;

interface AnswerBody {
  /** Of /ingest, which tells a conflict by the status 409 and for each event what became of it. */
  readonly results?: readonly unknown[];
  /** An object of ours, or at an OAuth endpoint the code of RFC 6749. */
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
  readonly error_description?: unknown;
  readonly errors?: readonly { readonly message?: unknown; readonly extensions?: { readonly code?: unknown } }[];
  readonly data?: Readonly<Record<string, unknown>> | null;
}

/**
 * Judges one answer. Server errors must be documented ones. Each refusal must have the error body of decision V2, with
 * a code and a status of the tables, or follow RFC 6749 at an OAuth endpoint. Pages refuse by a page.
 *
 * Out: what is wrong, or undefined. Refuses: never. Source: decisions V2, V25.
 */
export function judgeAnswer(answer: RawAnswer, codes: ErrorCodes, path: string): string | undefined {
  if (answer.status === 0) return `no answer: ${(answer as { end: string }).end}`;
  const { status, headers, body } = answer as Extract<RawAnswer, { readonly body: Buffer }>;
  if (status < 400 && (path !== "/graphql" || body.length === 0)) return undefined;
  if (body.length === 0 && headers["content-length"] !== "0" && headers["content-length"] !== undefined)
    return undefined;
  const isPage = headers["content-type"]?.startsWith("text/html") === true;
  if (isPage) return status < 500 && isPagePath(path) ? undefined : `status ${status} with a page`;
  const read = readJson(body);
  if (read === undefined) return `status ${status} without an error body: ${show(body)}`;
  return status < 400 ? judgeGraphQL(read, codes) : judgeRefusal(read, { status, codes, path });
}

function isPagePath(path: string): boolean {
  return /^\/(?:docs\/|portal|review|deeplink-login|graphiql|authorize|login\/)/.test(path);
}

function judgeRefusal(
  body: AnswerBody,
  { status, codes, path }: { readonly status: number; readonly codes: ErrorCodes; readonly path: string },
): string | undefined {
  const { error, errors, results } = body;
  const code = error?.code ?? (path === "/graphql" ? errors?.[0]?.extensions?.code : undefined);
  const message = error?.message ?? errors?.[0]?.message;
  if (isOAuthRefusal(body, path)) return status < 500 ? undefined : `${status} ${String(body.error)}`;
  if (status === 409 && Array.isArray(results)) return undefined;
  if (typeof code !== "string" || typeof message !== "string") return `status ${status} without error.code and message`;
  if (codes.get(code) === undefined) return `status ${status} with the undocumented code ${code}: ${message}`;
  const isOfHttp = code === "BAD_REQUEST" && STATUSES_OF_HTTP.has(status);
  if (error !== undefined && !isOfHttp && !codes.get(code)?.has(status))
    return `${code} with status ${status}, which its table does not say`;
  return judgeServerError(code, status, message);
}

// Source: RFC 6749 5.2; decision V2.
function isOAuthRefusal({ error, error_description: description }: AnswerBody, path: string): boolean {
  const isOAuthPath = /^\/(?:authorize|token|userinfo|jwks|\.well-known\/openid-configuration)$/.test(path);
  return isOAuthPath && typeof error === "string" && typeof description === "string";
}

function judgeServerError(code: string, status: number, message: string): string | undefined {
  const isServerError = status >= 500 && !ALLOWED_SERVER_ERRORS.has(code);
  return isServerError ? `${status} ${code}: ${message.slice(0, SHOWN)}` : undefined;
}

// In execution the status is 200; a server error is one by the table of its code.
function judgeGraphQL({ data, errors = [] }: AnswerBody, codes: ErrorCodes): string | undefined {
  const own = errors.map(({ message, extensions }) => ({ code: extensions?.code, message }));
  const ofMutations = Object.values(data ?? {}).flatMap(
    (result) =>
      (result as { readonly errors?: readonly { readonly code?: unknown; readonly message?: unknown }[] } | null)
        ?.errors ?? [],
  );
  for (const { code, message } of [...own, ...ofMutations]) {
    const statuses = typeof code === "string" ? codes.get(code) : undefined;
    if (statuses === undefined) return `a GraphQL error with the undocumented code ${String(code)}: ${String(message)}`;
    const fault = judgeServerError(code as string, Math.min(...statuses), String(message));
    if (fault !== undefined) return `GraphQL ${fault}`;
  }
  return undefined;
}

function readJson(body: Buffer): AnswerBody | undefined {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    return typeof value === "object" && value !== null ? (value as AnswerBody) : undefined;
  } catch {
    return undefined;
  }
}

function show(body: Buffer): string {
  return JSON.stringify(body.subarray(0, SHOWN).toString("latin1"));
}
