import { signText } from "@dataspace/wallet/sign-text";
import type { EName } from "@dataspace/protocol/ename";
import type { WalletKey } from "@dataspace/wallet/wallet-key";

/** A text that a person is to sign. */
export interface SignatureRequest {
  readonly signer: EName;
  readonly text: string;
  /** What stands beside the text for the person to read; it is not signed. */
  readonly shown: Readonly<Record<string, string>>;
  /** Decides whether a signature is the signer's over this text. */
  readonly accept: (signature: string) => Promise<boolean>;
}

/** Gets a person's signature: from a wallet over `ds://sign`, from a key in a file, or one that was made elsewhere. */
export type AskSignature = (request: SignatureRequest) => Promise<string>;

/** Signs with a key at hand, for automation. Refuses: as the key. */
export function signWithKey(key: Pick<WalletKey, "sign" | "encoding">): AskSignature {
  return ({ text }) => signText(key, text);
}
