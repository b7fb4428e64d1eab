import { parseJson } from "@dataspace/clients/parse-json";
import { type EName, isEName } from "@dataspace/protocol/ename";

/** An identity: an eName, the address of its vault, and the id of its key in the key store. */
export interface Identity {
  readonly ename: EName;
  readonly vaultUrl: string;
  readonly displayName: string;
  readonly keyId: string;
}

/** The identities of this browser; one is selected. */
export interface Identities {
  readonly list: () => readonly Identity[];
  readonly selected: () => Identity | undefined;
  readonly select: (ename: string) => void;
  /** Adds an identity, or replaces the one of the same eName, and selects it. */
  readonly put: (identity: Identity) => void;
  readonly forget: (ename: EName) => void;
  /** Called after each change. */
  readonly onChange: (listener: () => void) => void;
}

const STORED_AT = "dataspace-sandbox-identities";

interface StoredIdentities {
  readonly selected: string | null;
  readonly identities: readonly Identity[];
}

/**
 * Opens the identities that the browser stores. Refuses: never; what cannot be read is ignored. Source: S3 "Sandbox".
 */
export function openIdentities(storage: Storage): Identities {
  const listeners: (() => void)[] = [];
  const read = (): StoredIdentities => readStored(storage.getItem(STORED_AT));
  const write = (stored: StoredIdentities): void => {
    storage.setItem(STORED_AT, JSON.stringify(stored));
    for (const listener of listeners) listener();
  };
  const selected = (): Identity | undefined => {
    const { selected: ename, identities } = read();
    return identities.find((one) => one.ename === ename) ?? identities[0];
  };
  return {
    list: () => read().identities,
    selected,
    select: (ename) => write({ ...read(), selected: ename }),
    put: (identity) => {
      const others = read().identities.filter(({ ename }) => ename !== identity.ename);
      write({ selected: identity.ename, identities: [...others, identity] });
    },
    forget: (ename) => {
      write({ selected: null, identities: read().identities.filter((one) => one.ename !== ename) });
    },
    onChange: (listener) => {
      listeners.push(listener);
    },
  };
}

function readStored(text: string | null): StoredIdentities {
  const { selected, identities } = (parseJson(text ?? "") ?? {}) as Partial<Record<keyof StoredIdentities, unknown>>;
  const known = Array.isArray(identities) ? identities.map(toIdentity).filter((one) => one !== undefined) : [];
  return { selected: typeof selected === "string" ? selected : null, identities: known };
}

/** Reads a stored identity; undefined for an invalid one. Refuses: never. */
export function toIdentity(value: unknown): Identity | undefined {
  const { ename, vaultUrl, displayName, keyId } = (value ?? {}) as Partial<Record<keyof Identity, unknown>>;
  if (!isEName(ename) || typeof vaultUrl !== "string" || !/^https?:/.test(vaultUrl) || !URL.canParse(vaultUrl)) {
    return undefined;
  }
  if (typeof displayName !== "string" || typeof keyId !== "string") return undefined;
  return { ename, vaultUrl, displayName, keyId };
}
