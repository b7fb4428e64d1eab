const MAX_PICTURE_BYTES = 1_048_576;
/** How each kind of picture begins; the name and the type that a browser sends are not trusted. */
const KINDS = [
  { type: "image/png", begins: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: "image/jpeg", begins: [0xff, 0xd8, 0xff] },
  { type: "image/gif", begins: [0x47, 0x49, 0x46, 0x38] },
] as const;
const SHOWN = /^(?:https?:\/\/[^\s"'<>]{1,2000}$|data:image\/(?:png|jpeg|gif);base64,)/;

/**
 * Reads the picture of a form, as the data: URI that the platform stores.
 *
 * Out: undefined where none was chosen. Refuses: never; a fault is returned.
 */
export async function readPicture(
  form: FormData,
): Promise<{ readonly picture?: string; readonly fault?: string | undefined }> {
  const file = form.get("picture");
  if (!(file instanceof File) || file.size === 0) return {};
  if (file.size > MAX_PICTURE_BYTES) return { fault: "The picture has more than 1 MiB. Choose a smaller one." };
  const bytes = Buffer.from(await file.arrayBuffer());
  const kind = KINDS.find(({ begins }) => begins.every((byte, at) => bytes[at] === byte));
  if (kind === undefined) return { fault: "The picture is not a PNG, JPEG or GIF file." };
  return { picture: `data:${kind.type};base64,${bytes.toString("base64")}` };
}

/** Gives the address of a picture that a page may show; vaults hold any text. Refuses: never. */
export function pictureAddress(picture: string | null): string | undefined {
  return picture !== null && SHOWN.test(picture.slice(0, 2_020)) ? picture : undefined;
}
