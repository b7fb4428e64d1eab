/** One operation of the management API. */
export interface ClientsOperation {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  readonly path: string;
  readonly summary: string;
  /** The name of the request's schema, or the media type of an image. */
  readonly request?: "NewClient" | "ClientChange" | "image";
  readonly status: 200 | 201 | 204;
  readonly answer?: "Clients" | "OneClient" | "ClientWithSecret";
}

const CLIENT_PATH = "/api/clients/{clientId}";

/** The management API, as data: the document and the reference page are written from it. */
export const CLIENTS_OPERATIONS: readonly ClientsOperation[] = [
  {
    method: "get",
    path: "/api/clients",
    summary: "Lists your clients, the oldest first.",
    status: 200,
    answer: "Clients",
  },
  {
    method: "post",
    path: "/api/clients",
    summary: "Creates a client. The answer shows its secret this one time.",
    request: "NewClient",
    status: 201,
    answer: "ClientWithSecret",
  },
  { method: "get", path: CLIENT_PATH, summary: "Returns a client.", status: 200, answer: "OneClient" },
  {
    method: "patch",
    path: CLIENT_PATH,
    summary: "Changes the members that are sent, and keeps the others.",
    request: "ClientChange",
    status: 200,
    answer: "OneClient",
  },
  {
    method: "delete",
    path: CLIENT_PATH,
    summary: "Deletes a client. After this, nobody can log in through it.",
    status: 204,
  },
  {
    method: "post",
    path: `${CLIENT_PATH}/secret`,
    summary: "Makes a new secret. The present one keeps working for 24 hours.",
    status: 201,
    answer: "ClientWithSecret",
  },
  {
    method: "delete",
    path: `${CLIENT_PATH}/previous-secret`,
    summary: "Ends the previous secret at once.",
    status: 204,
  },
  {
    method: "put",
    path: `${CLIENT_PATH}/logo`,
    summary: "Replaces the logo: PNG, JPEG or WebP, at most 256 KiB and 1,024 pixels a side.",
    request: "image",
    status: 200,
    answer: "OneClient",
  },
  { method: "delete", path: `${CLIENT_PATH}/logo`, summary: "Removes the logo.", status: 200, answer: "OneClient" },
];

const TIME = { type: "string", format: "date-time" };
const TIME_OR_NULL = { type: ["string", "null"], format: "date-time" };
const INPUT = {
  name: {
    type: "string",
    minLength: 1,
    maxLength: 64,
    description: "People see it in their wallet and on the login page.",
  },
  redirectUris: {
    type: "array",
    items: { type: "string", format: "uri", maxLength: 2_048 },
    minItems: 1,
    maxItems: 10,
    description: "https, or http on a loopback host; without fragment, wildcard and user information.",
  },
  requireEmail: {
    type: "boolean",
    description: "Whether a placeholder address is sent where the profile has no email.",
  },
  confirmLogin: { type: "boolean", description: "Whether people confirm each login on the login page." },
};
const SCHEMAS = {
  NewClient: { type: "object", properties: INPUT, required: ["name", "redirectUris"], additionalProperties: false },
  ClientChange: { type: "object", properties: INPUT, additionalProperties: false },
  Client: {
    type: "object",
    properties: {
      clientId: { type: "string" },
      ...INPUT,
      hasLogo: { type: "boolean" },
      createdAt: TIME,
      lastUsedAt: { ...TIME_OR_NULL, description: "When an identity provider last exchanged a code." },
      previousSecretEndsAt: { ...TIME_OR_NULL, description: "Until when the secret before the last rotation works." },
    },
    required: [
      ...["clientId", "name", "redirectUris", "requireEmail", "confirmLogin"],
      ...["hasLogo", "createdAt", "lastUsedAt", "previousSecretEndsAt"],
    ],
  },
  Clients: object({ clients: { type: "array", items: ref("Client") } }),
  OneClient: object({ client: ref("Client") }),
  ClientWithSecret: object({
    client: ref("Client"),
    clientSecret: { type: "string", description: "256 bits as base64url." },
  }),
  Refusal: object({ error: object({ code: { type: "string" }, message: { type: "string" } }) }),
};

/** Writes the OpenAPI 3.1 document of the management API. Refuses: never. Source: OpenAPI Specification 3.1. */
export function clientsOpenApi(issuer: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of CLIENTS_OPERATIONS) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: toOperation(operation) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Login connector: clients",
      version: "1",
      description: "Creates and changes the clients of the signed-in eName.",
    },
    servers: [{ url: issuer }],
    security: [{ walletToken: [] }],
    paths,
    components: {
      schemas: SCHEMAS,
      securitySchemes: {
        walletToken: {
          type: "http",
          scheme: "bearer",
          description: `A wallet token whose audience is ${issuer}. It is valid for any number of reads and one change.`,
        },
      },
    },
  };
}

function toOperation({ path, summary, request, status, answer }: ClientsOperation): object {
  const content = answer === undefined ? {} : { content: { "application/json": { schema: ref(answer) } } };
  return {
    summary,
    ...(path.includes("{clientId}")
      ? { parameters: [{ name: "clientId", in: "path", required: true, schema: { type: "string" } }] }
      : {}),
    ...(request === undefined ? {} : { requestBody: { required: true, content: toContent(request) } }),
    responses: {
      [status]: { description: summary, ...content },
      default: { description: "A refusal.", content: { "application/json": { schema: ref("Refusal") } } },
    },
  };
}

function toContent(request: NonNullable<ClientsOperation["request"]>): object {
  if (request !== "image") return { "application/json": { schema: ref(request) } };
  return Object.fromEntries(["image/png", "image/jpeg", "image/webp"].map((type) => [type, {}]));
}

function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

function object(properties: Readonly<Record<string, object>>): object {
  return { type: "object", properties, required: Object.keys(properties) };
}
