import type { ActionLog } from "../action-log.ts";
import { element, find } from "../element.ts";
import { tellFault, whileBusy } from "./while-busy.ts";

const LOOKS_PER_SECOND = 8;
const MAX_PIXELS = 4_000_000;

/** Reads a code by the camera, from a file, or from a pasted picture, into the field for URIs. Source: `stack.md` UI, sandbox. */
export function openScanPanel({ log }: { readonly log: ActionLog }): void {
  const output = find("scanner", HTMLElement);
  const place = { output, log, act: "Scan" };
  const file = find("image-file", HTMLInputElement);
  const take = async (image: ImageBitmapSource): Promise<void> => {
    try {
      fill(await readCode(await createImageBitmap(image)), log);
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

async function scan(output: HTMLElement, log: ActionLog): Promise<void> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  const video = element("video", { class: "viewfinder", playsinline: true, "aria-label": "What the camera sees" });
  const stop = element("button", { type: "button", class: "quiet" }, "Stop");
  output.replaceChildren(video, stop);
  let isStopped = false;
  stop.addEventListener("click", () => {
    isStopped = true;
  });
  try {
    video.srcObject = stream;
    await video.play();
    while (!isStopped) {
      const text = await readCode(await createImageBitmap(video)).catch(() => undefined);
      if (text !== undefined) return fill(text, log);
      await new Promise((resolve) => setTimeout(resolve, 1000 / LOOKS_PER_SECOND));
    }
  } finally {
    for (const track of stream.getTracks()) track.stop();
    output.replaceChildren();
  }
}

// Loaded when it is needed: it is larger than all the rest.
async function readCode(image: ImageBitmap): Promise<string> {
  const { default: jsQR } = await import("jsqr");
  const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (image.width * image.height)));
  const [width, height] = [Math.round(image.width * scale), Math.round(image.height * scale)];
  const canvas = new OffscreenCanvas(width, height).getContext("2d");
  canvas?.drawImage(image, 0, 0, width, height);
  const pixels = canvas?.getImageData(0, 0, width, height);
  const found = pixels && jsQR(pixels.data, width, height);
  if (found) return found.data;
  throw new Error("There is no code in this picture that can be read. Take one that is sharp and shows all of it.");
}

function fill(text: string, log: ActionLog): void {
  const uri = find("uri", HTMLTextAreaElement);
  uri.value = text;
  uri.dispatchEvent(new Event("input"));
  log.say("ok", "Read a code", text);
}
