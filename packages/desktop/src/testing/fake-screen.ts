/** Pictures, displays, and what can be captured of them. */
import type {
  AddRepresentationOptions,
  DesktopCapturerSource,
  Display,
  NativeImage,
  Rectangle,
  Size,
} from "electron";

/** A picture, named after what it was made from; transparent unless it gets pixels. */
export class FakeImage implements NativeImage {
  isMacTemplateImage = false;
  readonly source: string;
  readonly #size: Size;
  readonly #pixels: Uint8Array;

  constructor(source: string, size: Size = { width: 4, height: 4 }, pixels?: Uint8Array) {
    this.source = source;
    this.#size = size;
    this.#pixels = pixels ?? new Uint8Array(size.width * size.height * 4);
  }
  addRepresentation(_options: AddRepresentationOptions): void {
    throw new Error("the fake has one representation");
  }
  crop({ x: left, y: top, width, height }: Rectangle): NativeImage {
    return this.#sampled({ width, height }, (x, y) => [left + x, top + y]);
  }
  getAspectRatio(): number {
    return this.#size.width / this.#size.height;
  }
  getBitmap(): void {
    throw new Error("deprecated");
  }
  getNativeHandle(): Buffer {
    throw new Error("the fake has no handle");
  }
  getScaleFactors(): number[] {
    return [1];
  }
  getSize(): Size {
    return this.#size;
  }
  isEmpty(): boolean {
    return this.#size.width === 0;
  }
  isTemplateImage(): boolean {
    return this.isMacTemplateImage;
  }
  resize({ width = this.#size.width, height = this.#size.height }: Partial<Size>): NativeImage {
    const [across, down] = [this.#size.width / width, this.#size.height / height];
    return this.#sampled({ width, height }, (x, y) => [Math.floor(x * across), Math.floor(y * down)]);
  }
  setTemplateImage(option: boolean): void {
    this.isMacTemplateImage = option;
  }
  toBitmap(): Buffer {
    return Buffer.from(this.#pixels);
  }
  toDataURL(): string {
    throw new Error("the fake has no address");
  }
  toJPEG(): Buffer {
    throw new Error("the fake is not compressed");
  }
  toPNG(): Buffer {
    return Buffer.from(this.source);
  }
  /** A picture of this size with pixels of this one. */
  #sampled(size: Size, place: (x: number, y: number) => [number, number]): FakeImage {
    const pixels = new Uint8Array(size.width * size.height * 4);
    for (let y = 0; y < size.height; y++) {
      for (let x = 0; x < size.width; x++) {
        const [column, row] = place(x, y);
        const start = (row * this.#size.width + column) * 4;
        pixels.set(this.#pixels.subarray(start, start + 4), (y * size.width + x) * 4);
      }
    }
    return new FakeImage(this.source, size, pixels);
  }
}

const area = (x: number, y: number, width: number, height: number): Rectangle => ({ x, y, width, height });

export class FakeScreen {
  displays = [fakeDisplay(1, area(0, 0, 1_920, 1_080), 1)];

  getAllDisplays(): Display[] {
    return this.displays;
  }
  getPrimaryDisplay(): Display {
    return this.displays[0]!;
  }
  getDisplayMatching({ x }: Rectangle): Display {
    return (
      this.displays.find(({ bounds }) => x >= bounds.x && x < bounds.x + bounds.width) ?? this.displays[0]!
    );
  }
}

/** A display with these bounds, without a task bar. */
export function fakeDisplay(id: number, bounds: Rectangle, scaleFactor: number): Display {
  const display: Partial<Display> = { id, bounds, workArea: bounds, size: bounds, scaleFactor };
  return display as Display;
}

/** A screen or window that can be captured. */
export function fakeSource(
  id: string,
  displayId: string,
  thumbnail = new FakeImage(id),
): DesktopCapturerSource {
  return { id, name: `name of ${id}`, display_id: displayId, thumbnail, appIcon: new FakeImage("icon") };
}
