import type { Page as BrowserPage } from "playwright-core";

const CELL_PIXELS = 24;

/**
 * Takes a picture of the whole page and reduces each element to the mean luminance of cells of 24 pixels. The result is
 * short, and fonts that are drawn differently elsewhere hardly change it.
 *
 * In: `selector` finds elements with an id. Out: for each id one string per row of cells, with one digit of base 36 for
 * each cell. Refuses: what the browser refuses.
 */
export async function pictureGrids(
  tab: BrowserPage,
  selector: string,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const picture = (await tab.screenshot({ fullPage: true })).toString("base64");
  return tab.evaluate(`new Promise((done, fail) => {
    const image = new Image();
    const canvas = (width, height) => new OffscreenCanvas(width, height).getContext("2d");
    const reduce = (element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const [columns, rows] = [width, height].map((size) => Math.round(size / ${CELL_PIXELS}));
      const cut = canvas(columns * ${CELL_PIXELS}, rows * ${CELL_PIXELS});
      cut.drawImage(image, -Math.round(left + scrollX), -Math.round(top + scrollY));
      const { data } = cut.getImageData(0, 0, cut.canvas.width, cut.canvas.height);
      const sums = new Float64Array(columns * rows);
      for (let at = 0; at < data.length; at += 4) {
        const [x, y] = [(at / 4) % cut.canvas.width, Math.floor(at / 4 / cut.canvas.width)];
        const cell = Math.floor(y / ${CELL_PIXELS}) * columns + Math.floor(x / ${CELL_PIXELS});
        sums[cell] += 0.2126 * data[at] + 0.7152 * data[at + 1] + 0.0722 * data[at + 2];
      }
      const digits = Array.from(sums, (sum) => Math.round((sum / ${CELL_PIXELS ** 2} / 255) * 35).toString(36));
      return Array.from({ length: rows }, (_, row) => digits.slice(row * columns, (row + 1) * columns).join(""));
    };
    image.onerror = () => fail(new Error("The picture cannot be read."));
    image.onload = () =>
      done(Object.fromEntries([...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => [one.id, reduce(one)])));
    image.src = "data:image/png;base64,${picture}";
  })`);
}
