import { PageRefusal } from "./page-refusal.ts";

/** The largest form: a picture with its fields. */
const MAX_FORM_BYTES = 1_114_112;

/**
 * Reads a form, plain or with a file.
 *
 * Refuses: PageRefusal 413 above 1 MiB and 64 KiB, without reading the rest; 400 for what is not a form.
 */
export async function readSocialForm(request: Request): Promise<FormData> {
  const bytes = await readBounded(request);
  try {
    const headers = { "content-type": request.headers.get("content-type") ?? "" };
    return await new Response(bytes, { headers }).formData();
  } catch {
    throw new PageRefusal(400, "Not sent", "The form cannot be read. Open the page again and send it from there.");
  }
}

async function readBounded(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  // A stream that is cancelled closes the connection, and the browser then sees no answer.
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    sizeBytes += part.value.length;
    if (sizeBytes > MAX_FORM_BYTES) throw new PageRefusal(413, "Too large", "A picture has at most 1 MiB.");
    parts.push(part.value);
  }
  return new Uint8Array(Buffer.concat(parts));
}

/** A text field as it was sent, and what is wrong with it, if anything. */
export interface ReadText {
  readonly text: string;
  readonly fault: string | undefined;
}

/** What a text field may hold. */
export interface TextLimits {
  readonly name: string;
  readonly what: string;
  readonly maxLength: number;
  readonly isRequired: boolean;
}

/** Reads a text field: line ends become \n, spaces around it are removed. Refuses: never; a fault is returned. */
export function readText(form: FormData, { name, what, maxLength, isRequired }: TextLimits): ReadText {
  const value = form.get(name);
  const text = typeof value === "string" ? value.replaceAll("\r\n", "\n").trim() : "";
  if (text === "" && isRequired) return { text, fault: `Write ${what}.` };
  if (text.length > maxLength)
    return { text, fault: `Write at most ${maxLength} characters; these are ${text.length}.` };
  // PostgreSQL stores no NUL, and a vault no lone surrogate.
  if (text.includes("\u0000") || !text.isWellFormed())
    return { text: "", fault: "The text holds characters that cannot be stored." };
  return { text, fault: undefined };
}

/** The fields of the example platforms, and how long each may be. */
export const TEXTS: Readonly<Record<"post" | "name" | "about" | "chat" | "message", TextLimits>> = {
  post: { name: "text", what: "a text", maxLength: 2_000, isRequired: true },
  name: { name: "name", what: "your name", maxLength: 80, isRequired: true },
  about: { name: "about", what: "a few words", maxLength: 500, isRequired: false },
  chat: { name: "name", what: "the chat's name", maxLength: 80, isRequired: true },
  message: { name: "text", what: "a message", maxLength: 2_000, isRequired: true },
};
