import { button, element, find } from "@dataspace/ui/dom/element";
import type { Action, Activity } from "../activity/activity.ts";
import { onPress, runAct } from "../run-act.ts";
import { CAMERA_TEXTS, SCAN_TEXTS } from "./scan-texts.ts";

const LOOKS_PER_SECOND = 8;
const MAX_PIXELS = 4_000_000;

/** Reads a code with the camera, from a file, or from a pasted or dropped picture, into the field for URIs. */
export function openScanPanel({ activity }: { readonly activity: Activity }): void {
  const output = find("scanner", HTMLElement);
  const file = find("image-file", HTMLInputElement);
  const uri = find("uri", HTMLTextAreaElement);
  const take = (image: Blob): void => {
    const place = { output, activity, doing: SCAN_TEXTS.readImage };
    const act = async (action: Action): Promise<string> => {
      const sentence = fill(await readImage(image), action);
      output.replaceChildren();
      return sentence;
    };
    void runAct(place, act, () => take(image));
  };
  find("read-image", HTMLButtonElement).addEventListener("click", () => file.click());
  file.addEventListener("change", () => {
    const image = file.files?.[0];
    if (image !== undefined) take(image);
    file.value = "";
  });
  uri.addEventListener("paste", (event) => {
    const image = findImage(event.clipboardData);
    if (image !== undefined) take(image);
  });
  openDrop(find("requests-area", HTMLElement), take);
  onPress(find("scan", HTMLButtonElement), { output, activity, doing: SCAN_TEXTS.scan }, (action) =>
    scan(output, action),
  );
}

function findImage(transfer: DataTransfer | null): File | undefined {
  return [...(transfer?.files ?? [])].find(({ type }) => type.startsWith("image/"));
}

// A dropped text goes into the field by itself.
function openDrop(area: HTMLElement, take: (image: Blob) => void): void {
  area.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  area.addEventListener("drop", (event) => {
    const image = findImage(event.dataTransfer);
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    if (image !== undefined) take(image);
  });
}

async function readImage(image: Blob): Promise<string> {
  const findCode = await loadReader();
  const picture = await createImageBitmap(image).catch(() => undefined);
  if (picture === undefined) throw new Error(SCAN_TEXTS.noPicture);
  const text = findCode(picture);
  if (text !== undefined) return text;
  throw new Error(SCAN_TEXTS.noCode);
}

async function scan(output: HTMLElement, action: Action): Promise<string> {
  const findCode = await loadReader();
  const stream = await openCamera();
  const video = element("video", { class: "viewfinder", playsinline: true, "aria-label": SCAN_TEXTS.camera });
  const stop = button(SCAN_TEXTS.stop);
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
      if (!stream.active) throw new Error(SCAN_TEXTS.disconnected);
      const text = findCode(await createImageBitmap(video));
      if (text !== undefined) return fill(text, action);
      await new Promise((resolve) => setTimeout(resolve, 1000 / LOOKS_PER_SECOND));
    }
    return SCAN_TEXTS.stopped;
  } finally {
    for (const track of stream.getTracks()) track.stop();
    output.replaceChildren();
  }
}

async function openCamera(): Promise<MediaStream> {
  // Except on https and this machine, the browser has no camera interface.
  const { mediaDevices } = navigator as { readonly mediaDevices?: MediaDevices };
  if (mediaDevices === undefined) {
    throw new Error(SCAN_TEXTS.onlyHttps);
  }
  try {
    return await mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    throw new Error(CAMERA_TEXTS[name] ?? SCAN_TEXTS.noStart, { cause: error });
  }
}

// Loaded on demand: it is larger than everything else.
async function loadReader(): Promise<(image: ImageBitmap) => string | undefined> {
  const { default: jsQR } = await import("jsqr").catch((cause: unknown) => {
    throw new Error(SCAN_TEXTS.noReader, { cause });
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

function fill(text: string, action: Action): string {
  const uri = find("uri", HTMLTextAreaElement);
  uri.value = text;
  uri.dispatchEvent(new Event("input"));
  action.say(SCAN_TEXTS.content, text);
  return SCAN_TEXTS.read;
}
