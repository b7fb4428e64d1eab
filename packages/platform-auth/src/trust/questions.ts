import { UpstreamError } from "@dataspace/clients/upstream-error";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { pointToSpki } from "@dataspace/protocol/public-key";
import { verifySignature } from "@dataspace/protocol/signature";
import type { VerifiedToken } from "@dataspace/clients/remote-key-set";
import type { EName } from "@dataspace/protocol/ename";
import type { EcdsaVerify } from "@dataspace/protocol/signature";
import type { StatusOf } from "./status-of.ts";
import type { Token, Trust } from "./trust.ts";

/** What a question about a token found: its claims, or why there are none. */
export type TokenAnswer = VerifiedToken | "refused" | "unavailable";

/** What the links ask beyond the evidence itself. None of them throws for what an answer can say. */
export interface Questions {
  readonly registryToken: (token: Token) => Promise<TokenAnswer>;
  readonly issuerToken: (issuer: string, token: Token) => Promise<TokenAnswer>;
  /** The points of a person's keys; undefined when they are not available. */
  readonly walletPoints: (ename: EName, stapled: readonly string[]) => Promise<readonly Uint8Array[] | undefined>;
  readonly status: StatusOf;
  /** Whether the key of a point signed a text. */
  readonly hasSigned: (point: Uint8Array, text: string, signature: string) => Promise<boolean>;
}

/** Makes each question, asked about one thing in one handshake, one that is asked once. Refuses: never. */
export function askEachOnce({ hasSigned, ...questions }: Questions): Questions {
  return {
    registryToken: once(questions.registryToken),
    issuerToken: once(questions.issuerToken),
    walletPoints: once(questions.walletPoints),
    status: once(questions.status),
    hasSigned,
  };
}

function once<In extends readonly unknown[], Out>(ask: (...about: In) => Promise<Out>): (...about: In) => Promise<Out> {
  let answer: Promise<Out> | undefined;
  return (...about) => {
    answer ??= ask(...about);
    return answer;
  };
}

/** The parts that questions are made of. `verifyEcdsa` takes a key as SPKI. */
export interface QuestionsDeps {
  readonly trust: Trust;
  readonly status: StatusOf;
  readonly verifyEcdsa: EcdsaVerify<Uint8Array>;
  readonly log: { readonly warn: (entry: object, message: string) => void };
}

/** Makes the questions of a verifier. Why keys are not available is for the log alone. Source: decision A1. */
export function createQuestions({ trust, status, verifyEcdsa, log }: QuestionsDeps): Questions {
  const tokenAnswer = async (verified: Promise<VerifiedToken>): Promise<TokenAnswer> => {
    try {
      return await verified;
    } catch (error) {
      if (error instanceof ProtocolError) return "refused";
      if (!(error instanceof UpstreamError)) throw error;
      log.warn({ err: error }, "the keys for a handshake are not available");
      return "unavailable";
    }
  };
  return {
    registryToken: (token) => tokenAnswer(trust.verifyRegistryToken(token)),
    issuerToken: (issuer, token) => tokenAnswer(trust.verifyIssuerToken(issuer, token)),
    walletPoints: async (ename, stapled) => {
      try {
        return await trust.findWalletPoints(ename, stapled);
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        log.warn({ err: error, ename }, "the keys of a deployer are not available");
        return undefined;
      }
    },
    status,
    hasSigned: async (point, text, signature) => {
      const input = { key: pointToSpki(point), data: Buffer.from(text), signature };
      return (await verifySignature(verifyEcdsa, input)) !== undefined;
    },
  };
}
