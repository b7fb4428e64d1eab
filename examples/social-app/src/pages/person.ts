import { avatar as drawing } from "@dataspace/ui/avatar";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import { pictureAddress } from "../picture.ts";
import type { Person } from "../store.ts";

const LONGEST_SHOWN = 4_000;

/** Shortens what may be of any length, since a vault may hold any text. Refuses: never. */
export function clip(text: string, most: number = LONGEST_SHOWN): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;
}

/** The name that pages show for a person. Refuses: never. */
export function nameOf(person: Person | undefined): string {
  if (person === undefined) return "Somebody";
  const name = clip(person.name.trim(), 80);
  return name === "" ? `Person ${person.ename.slice(1, 9)}` : name;
}

/** Shows a person's picture, or the drawing that belongs to the eName. Refuses: never. */
export function avatar(person: Person | undefined, size: "small" | "large" = "small"): Html {
  const address = person && pictureAddress(person.picture);
  if (address !== undefined) {
    return html`<img class="avatar ${size}" src="${address}" alt="" loading="lazy" referrerpolicy="no-referrer">`;
  }
  return drawing(person?.ename ?? "", size);
}

/** Shows a person's picture and name, with a link to the profile. Refuses: never. */
export function personLink(person: Person | undefined): Html {
  const name = html`${avatar(person)}<span>${nameOf(person)}</span>`;
  return person === undefined
    ? html`<span class="person">${name}</span>`
    : html`<a class="person" href="/people/${person.id}">${name}</a>`;
}
