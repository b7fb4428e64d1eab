import { createHmac, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { OurConnector } from "../targets/our-connector.ts";
import { changeJson, type Mutant } from "./mutant.ts";

type Part = Record<string, unknown>;

/** An ID token taken apart; a mutant changes it before it is signed again. */
interface TokenParts {
  readonly header: Part;
  readonly payload: Part;
}

/** Providers that are wrong about tokens, keys and userinfo. */
export const MUTANTS_OF_TOKENS: readonly Mutant[] = [
  tokenMutant("names another issuer in ID tokens", ["oidcc-server"], ({ payload }) => {
    payload["iss"] = "https://evil.example";
  }),
  tokenMutant("leaves the nonce out of ID tokens", ["oidcc-server"], ({ payload }) => {
    delete payload["nonce"];
  }),
  tokenMutant("cuts the nonce to 64 characters", ["ensure-authorization-request-with-long-nonce"], ({ payload }) => {
    payload["nonce"] = String(payload["nonce"]).slice(0, 64);
  }),
  tokenMutant(
    "makes a nonce of its own",
    ["oidcc-ensure-request-without-nonce-succeeds-for-code-flow"],
    ({ payload }) => {
      payload["nonce"] ??= "own";
    },
  ),
  tokenMutant("issues ID tokens for another client", ["oidcc-server"], ({ payload }) => {
    payload["aud"] = "another";
  }),
  tokenMutant("issues ID tokens for a second client too", ["oidcc-server"], ({ payload }) => {
    payload["aud"] = [payload["aud"], "another"];
  }),
  tokenMutant("issues expired ID tokens", ["oidcc-server"], ({ payload }) => {
    payload["exp"] = Number(payload["iat"]) - 1;
  }),
  tokenMutant("names no key in ID tokens", ["oidcc-server"], ({ header }) => {
    delete header["kid"];
  }),
  tokenMutant("names an unpublished key in ID tokens", ["oidcc-server"], ({ header }) => {
    header["kid"] = "another";
  }),
  tokenMutant("says the same auth_time of every login", ["oidcc-prompt-login", "oidcc-max-age-1"], ({ payload }) => {
    payload["auth_time"] = 1;
  }),
  {
    does: "says that an email is verified",
    caughtBy: ["userinfo-equals-id-token"],
    alter: (connector) => {
      const verify = (claims: Part): void => {
        if ("email" in claims) claims["email_verified"] = true;
      };
      const inTokens = onIdToken((parts) => {
        verify(parts.payload);
        return signed(parts, keyOf(connector));
      });
      return {
        answer: (answer, request) => {
          if (request.path === "/userinfo") changeJson(answer, verify);
          else inTokens.answer(answer, request);
        },
      };
    },
  },
  {
    does: "does not sign ID tokens",
    caughtBy: ["oidcc-server", "id-token-is-es256"],
    alter: () => onIdToken(({ header, payload }) => `${encode({ ...header, alg: "none" })}.${encode(payload)}.`),
  },
  {
    does: "signs ID tokens with the client's secret",
    caughtBy: ["oidcc-server", "id-token-is-es256"],
    alter: ({ client }) =>
      onIdToken(({ header, payload }) => {
        const text = `${encode({ ...header, alg: "HS256" })}.${encode(payload)}`;
        return `${text}.${createHmac("sha256", client.secret).update(text).digest("base64url")}`;
      }),
  },
  {
    does: "signs ID tokens with a key that is not the published one",
    caughtBy: ["oidcc-server"],
    alter: () => {
      const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      return onIdToken((parts) => signed(parts, privateKey));
    },
  },
  {
    does: "says another person in userinfo",
    caughtBy: ["oidcc-userinfo-get", "oidcc-userinfo-post-header", "oidcc-userinfo-post-body"],
    alter: () => ({
      answer: (answer, { path }) => {
        if (path === "/userinfo") changeJson(answer, (body) => Object.assign(body, { sub: "@another" }));
      },
    }),
  },
  {
    does: "gives userinfo for any token",
    caughtBy: ["userinfo-checks-the-token"],
    alter: () => {
      let last = "";
      return {
        request: (request) => {
          if (request.path === "/userinfo") request.headers["authorization"] = `Bearer ${last}`;
          return undefined;
        },
        answer: (answer, { path }) => {
          if (path === "/token") changeJson(answer, (body) => (last = String(body["access_token"])));
        },
      };
    },
  },
  {
    does: "gives no userinfo to POST",
    caughtBy: ["oidcc-userinfo-post-header", "oidcc-userinfo-post-body"],
    alter: () => ({
      request: ({ path, method }) =>
        path === "/userinfo" && method === "POST" ? { status: 405, headers: {}, body: "" } : undefined,
    }),
  },
  {
    does: "publishes its private key",
    caughtBy: ["published-keys-are-public"],
    alter: ({ signingKeys: [{ d }] }) => ({
      answer: (answer, { path }) => {
        if (path === "/jwks") changeJson(answer, ({ keys }) => Object.assign((keys as Part[])[0] ?? {}, { d }));
      },
    }),
  },
  {
    does: "publishes two keys with one kid",
    caughtBy: ["oidcc-server"],
    alter: () => ({
      answer: (answer, { path }) => {
        if (path === "/jwks") changeJson(answer, ({ keys }) => (keys as Part[]).push((keys as Part[])[0] ?? {}));
      },
    }),
  },
  {
    does: "lets caches keep tokens",
    caughtBy: ["oidcc-server"],
    alter: () => ({
      answer: ({ headers }, { path }) => {
        if (path === "/token") delete headers["cache-control"];
      },
    }),
  },
];

function tokenMutant(does: string, caughtBy: readonly string[], change: (parts: TokenParts) => void): Mutant {
  return {
    does,
    caughtBy,
    alter: (connector) =>
      onIdToken((parts) => {
        change(parts);
        return signed(parts, keyOf(connector));
      }),
  };
}

function onIdToken(remake: (parts: TokenParts) => string) {
  return {
    answer: (answer: Parameters<typeof changeJson>[0], { path }: { readonly path: string }): void => {
      if (path !== "/token") return;
      changeJson(answer, (body) => {
        const [header = "", payload = ""] = String(body["id_token"]).split(".");
        body["id_token"] = remake({ header: decode(header), payload: decode(payload) });
      });
    },
  };
}

function keyOf({ signingKeys: [{ kty, crv, x, y, d }] }: OurConnector): KeyObject {
  return createPrivateKey({ key: { kty, crv, x, y, d }, format: "jwk" });
}

function signed({ header, payload }: TokenParts, key: KeyObject): string {
  const text = `${encode(header)}.${encode(payload)}`;
  const signature = sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" });
  return `${text}.${signature.toString("base64url")}`;
}

function encode(part: Part): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

function decode(part: string): Part {
  return JSON.parse(Buffer.from(part, "base64url").toString()) as Part;
}
