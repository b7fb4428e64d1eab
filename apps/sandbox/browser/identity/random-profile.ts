import type { EName } from "@dataspace/protocol/ename";
import type { Payload } from "../vault/record.ts";
import { PROVISION_TEXTS } from "./provision-texts.ts";

const FIRST = [
  "Ada",
  "Amina",
  "Björn",
  "Chidi",
  "Dalia",
  "Emre",
  "Fatima",
  "Grace",
  "Hana",
  "Ivo",
  "Jun",
  "Kofi",
  "Lena",
  "Mateo",
  "Noor",
  "Olga",
];
const LAST = [
  "Abe",
  "Berg",
  "Costa",
  "Diallo",
  "Eriksen",
  "Fischer",
  "Gupta",
  "Haddad",
  "Ito",
  "Jansen",
  "Kim",
  "Lopez",
  "Mensah",
  "Novak",
  "Okafor",
  "Park",
];

/**
 * Makes up a person: the payload of a new identity's profile. In: `random` gives 0 up to 1, `at` is ISO 8601. Refuses:
 * never.
 */
export function randomProfile(
  ename: EName,
  random: () => number,
  at: string,
): Payload & { readonly displayName: string } {
  const pick = (names: readonly string[]): string => names[Math.floor(random() * names.length)] as string;
  return {
    username: ename.slice(1),
    displayName: `${pick(FIRST)} ${pick(LAST)}`,
    bio: PROVISION_TEXTS.bio,
    avatarUrl: null,
    bannerUrl: null,
    ename,
    isVerified: false,
    isPrivate: false,
    createdAt: at,
    updatedAt: at,
    isArchived: false,
  };
}
