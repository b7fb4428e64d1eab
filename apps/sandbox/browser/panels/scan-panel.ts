import type { ActionLog } from "../action-log.ts";
import { element, find } from "../element.ts";
import { tellFault, whileBusy } from "./while-busy.ts";

const LOOKS_PER_SECOND = 8;
const MAX_PIXELS = 4_000_000;

/**
 * Why a browser provides no camera, by the name of its error, and what to do. Source: Media Capture and Streams,
 * section 10.2.1.
 */
const CAMERA_FAULTS: Readonly<Record<string, string>> = {
  NotAllowedError:
    "The browser does not let this page use the camera. Allow it beside the page's address, or read an image of the code.",
  NotFoundError: "There is no camera on this device. Read an image of the code, or paste what it holds.",
  NotReadableError:
    "The camera cannot be used now; another program may have it. Close that, or read an image of the code.",
};

/** Reads a code with the camera, from a file, or from a pasted picture, into the field for URIs. */
export function openScanPanel({ log }: { readonly log: ActionLog }): void {
  const output = find("scanner", HTMLElement);
  const place = { output, log, act: "Scan" };
  const file = find("image-file", HTMLInputElement);
  const take = async (image: Blob): Promise<void> => {
    try {
      fill(await readImage(image), log);
      output.replaceChildren();
    } catch (error) {
      tellFault(place, error);
    }
  };
  find("read-image", HTMLButtonElement).addEventListener("click", () => file.click());
  file.addEventListener("change", async () => {
    const image = file.files?.[0];
    if (image !== undefined) await take(image);
    file.value = "";
  });
  find("uri", HTMLTextAreaElement).addEventListener("paste", (event) => {
    const image = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith("image/"));
    if (image !== undefined) void take(image);
  });
  whileBusy(find("scan", HTMLButtonElement), place, () => scan(output, log));
}

async function readImage(image: Blob): Promise<string> {
  const findCode = await loadReader();
  const picture = await createImageBitmap(image).catch(() => undefined);
  if (picture === undefined) throw new Error("The browser cannot show this file as a picture. Choose a PNG or a JPEG.");
  const text = findCode(picture);
  if (text !== undefined) return text;
  throw new Error("There is no code in this picture that can be read. Take one that is sharp and shows all of it.");
}

async function scan(output: HTMLElement, log: ActionLog): Promise<void> {
  const findCode = await loadReader();
  const stream = await openCamera();
  const video = element("video", { class: "viewfinder", playsinline: true, "aria-label": "What the camera sees" });
  const stop = element("button", { type: "button", class: "quiet" }, "Stop");
  output.replaceChildren(video, element("div", { class: "row" }, stop));
  stop.focus();
  let isStopped = false;
  stop.addEventListener("click", () => {
    isStopped = true;
  });
  try {
    video.srcObject = stream;
    await video.play();
    while (!isStopped) {
      if (!stream.active)
        throw new Error("The camera is gone. Connect it and scan again, or read an image of the code.");
      const text = findCode(await createImageBitmap(video));
      if (text !== undefined) return fill(text, log);
      await new Promise((resolve) => setTimeout(resolve, 1000 / LOOKS_PER_SECOND));
    }
  } finally {
    for (const track of stream.getTracks()) track.stop();
    output.replaceChildren();
  }
}

async function openCamera(): Promise<MediaStream> {
  // Except on https and this machine, the browser has no camera interface.
  const { mediaDevices } = navigator as { readonly mediaDevices?: MediaDevices };
  if (mediaDevices === undefined) {
    throw new Error(
      "The browser gives the camera only to https pages. Read an image of the code, or paste what it holds.",
    );
  }
  try {
    return await mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    throw new Error(CAMERA_FAULTS[name] ?? "The camera does not start. Read an image of the code.", { cause: error });
  }
}

// Loaded on demand: it is larger than everything else.
async function loadReader(): Promise<(image: ImageBitmap) => string | undefined> {
  const { default: jsQR } = await import("jsqr").catch((cause: unknown) => {
    throw new Error("What reads codes could not be loaded. Load the page again.", { cause });
  });
  return (image) => {
    const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (image.width * image.height)));
    const [width, height] = [Math.round(image.width * scale), Math.round(image.height * scale)];
    const canvas = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    canvas?.drawImage(image, 0, 0, width, height);
    image.close();
    const pixels = canvas?.getImageData(0, 0, width, height);
    return (pixels && jsQR(pixels.data, width, height)?.data) || undefined;
  };
}

function fill(text: string, log: ActionLog): void {
  const uri = find("uri", HTMLTextAreaElement);
  uri.value = text;
  uri.dispatchEvent(new Event("input"));
  log.say("ok", "Read a code", text);
}
