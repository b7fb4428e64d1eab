import { writeFile } from "node:fs/promises";
import { encodeQR } from "qr";

const WIDTH = 640;
const HEIGHT = 480;
const MODULE_PIXELS = 6;
const [DARK, LIGHT, GREY] = [16, 235, 128];

/** Gives a test's browser a camera and the permission to use it. */
export const ALLOWED_CAMERA: readonly string[] = [
  "--use-fake-device-for-media-stream",
  "--use-fake-ui-for-media-stream",
];

/**
 * Writes a video of one frame that shows a code, which the browser uses as its camera.
 *
 * Refuses: an Error for a code larger than the frame. Source: YUV4MPEG2; ITU-R BT.601 (16 is black, 235 white).
 */
export async function writeCodeVideo(file: string, text: string): Promise<void> {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: 4 });
  const size = rows.length;
  if (size * MODULE_PIXELS > HEIGHT) throw new Error(`A code of ${size} modules does not fit into ${HEIGHT} lines.`);
  const luma = Buffer.alloc(WIDTH * HEIGHT, LIGHT);
  for (const [row, modules] of rows.entries()) {
    for (const [column, isDark] of modules.entries()) if (isDark) paint(luma, row, column);
  }
  const chroma = Buffer.alloc((WIDTH * HEIGHT) / 2, GREY);
  const head = `YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\nFRAME\n`;
  await writeFile(file, Buffer.concat([Buffer.from(head), luma, chroma]));
}

function paint(luma: Buffer, row: number, column: number): void {
  for (let line = row * MODULE_PIXELS; line < (row + 1) * MODULE_PIXELS; line++) {
    const start = line * WIDTH + column * MODULE_PIXELS;
    luma.fill(DARK, start, start + MODULE_PIXELS);
  }
}
