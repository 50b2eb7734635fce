/** What shows outside the window that something waits: tray icon, badge, flashing. */
import type { NativeImage } from "electron";
import type { ElectronParts, Platform, TrayPart, WindowPart } from "./electron-parts.ts";
import type { SettingsOfDevice } from "./settings.ts";
import type { Translate } from "./texts.ts";

const BLINK_MS = 600;
/** Red of the badges in the client, as blue, green, red, alpha. */
const DOT_PIXEL = [0x3d, 0x3b, 0xe5, 0xff] as const;
/** Windows draws overlays in this size. */
const OVERLAY_PX = 16;
/** The menu bar of macOS has 18 points, with two pixels each; other systems scale. */
const TRAY_PX = { darwin: 36, linux: 32, win32: 32 } as const;
/** The picture for macOS is made for home screens, which want a wide margin. Of its side, this part is used. */
const MAC_PART = 0.6;

interface SignsOptions {
  readonly electron: Pick<ElectronParts, "app" | "createTray" | "images">;
  readonly platform: Platform;
  readonly window: WindowPart;
  readonly settings: SettingsOfDevice;
  /** A picture for the tray; of macOS only the shape counts. */
  readonly icon: string;
  readonly show: () => void;
  readonly quit: () => void;
}

interface Pictures {
  readonly plain: NativeImage;
  readonly marked: NativeImage;
  readonly blank: NativeImage;
  readonly overlay: NativeImage;
}

export class UnreadSigns {
  readonly #options: SignsOptions;
  readonly #pictures: Pictures;
  readonly #tray: TrayPart;
  #t: Translate;
  #unread = 0;
  #blinking: NodeJS.Timeout | undefined;

  constructor(options: SignsOptions, t: Translate) {
    const { electron, platform, window, settings, icon, show } = options;
    this.#options = options;
    this.#t = t;
    this.#pictures = picturesOf(electron.images, platform, icon);
    this.#tray = electron.createTray(this.#pictures.plain);
    // macOS opens the menu at the same time.
    if (platform !== "darwin") this.#tray.on("click", show);
    window.on("focus", () => {
      window.flashFrame(false);
      this.#draw();
    });
    window.on("blur", () => this.#draw());
    // A hidden window has no taskbar button, and the new one has no overlay.
    window.on("show", () => this.#write());
    settings.onChange(() => this.#draw());
    this.translate(t);
  }

  translate(t: Translate): void {
    const { show, quit } = this.#options;
    this.#t = t;
    this.#tray.setMenu([
      { label: t("desktop.tray.show"), click: show },
      { type: "separator" },
      { label: t("desktop.tray.quit"), click: quit },
    ]);
    this.#write();
  }

  setUnread(count: number): void {
    this.#unread = count;
    this.#write();
    this.#draw();
  }

  /** Flashes the window until it gets the focus. */
  drawAttention(): void {
    const { settings, window } = this.#options;
    if (settings.current.drawsAttention && !window.isFocused()) window.flashFrame(true);
  }

  end(): void {
    clearInterval(this.#blinking);
    this.#tray.destroy();
  }

  /** The number, as far as the system shows one. */
  #write(): void {
    const { electron, platform, window } = this.#options;
    const count = this.#unread;
    const text = count === 0 ? "Parley" : this.#t("desktop.tray.unread", { count });
    this.#tray.setToolTip(text);
    if (platform === "darwin") this.#tray.setTitle(count === 0 ? "" : String(count));
    if (platform === "win32") window.setOverlayIcon(count === 0 ? null : this.#pictures.overlay, text);
    else electron.app.setBadgeCount(count);
  }

  #draw(): void {
    const { settings, window } = this.#options;
    const { plain, marked, blank } = this.#pictures;
    const isBlinking = this.#unread > 0 && settings.current.drawsAttention && !window.isFocused();
    if (isBlinking && this.#blinking !== undefined) return;
    clearInterval(this.#blinking);
    this.#blinking = undefined;
    this.#tray.setImage(this.#unread > 0 ? marked : plain);
    if (!isBlinking) return;
    let isBlank = false;
    this.#blinking = setInterval(() => {
      isBlank = !isBlank;
      this.#tray.setImage(isBlank ? blank : marked);
    }, BLINK_MS);
  }
}

function picturesOf(images: ElectronParts["images"], platform: Platform, icon: string): Pictures {
  const side = TRAY_PX[platform];
  const size = { width: side, height: side };
  const scale = platform === "darwin" ? 2 : 1;
  const picture = images.fromPath(icon);
  const pixels = (platform === "darwin" ? middleOf(picture) : picture).resize(size).toBitmap();
  const plain = images.fromPixels(pixels, size, scale);
  const blank = images.fromPixels(new Uint8Array(pixels.length), size, scale);
  const overlaySize = { width: OVERLAY_PX, height: OVERLAY_PX };
  const overlay = images.fromPixels(
    withDot(new Uint8Array(OVERLAY_PX ** 2 * 4), OVERLAY_PX, OVERLAY_PX / 2),
    overlaySize,
    1,
  );
  if (platform !== "darwin") {
    return { plain, blank, overlay, marked: images.fromPixels(withDot(pixels, side, side / 4), size, scale) };
  }
  // The system colours them for its menu bar, which shows the number beside.
  plain.setTemplateImage(true);
  blank.setTemplateImage(true);
  return { plain, blank, overlay, marked: plain };
}

/** A square picture without its margin. */
function middleOf(picture: NativeImage): NativeImage {
  const { width: side } = picture.getSize();
  const margin = Math.round((side * (1 - MAC_PART)) / 2);
  const part = side - 2 * margin;
  return picture.crop({ x: margin, y: margin, width: part, height: part });
}

/** A copy of a square picture with a dot in its lower right corner. */
export function withDot(pixels: Uint8Array, side: number, radius: number): Uint8Array {
  const copy = Uint8Array.from(pixels);
  const centre = side - radius - 0.5;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      if (Math.hypot(x - centre, y - centre) <= radius) copy.set(DOT_PIXEL, (y * side + x) * 4);
    }
  }
  return copy;
}
