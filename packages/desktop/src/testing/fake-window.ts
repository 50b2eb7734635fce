/** Windows and the pages in them. */
import type {
  BrowserWindowConstructorOptions,
  HandlerDetails,
  NativeImage,
  Rectangle,
  WindowOpenHandlerResponse,
} from "electron";
import type { ContentsPart, WindowPart } from "../main/electron-parts.ts";
import { Fake, FakeEvent } from "./fake-events.ts";

class FakeContents extends Fake implements ContentsPart {
  readonly id: number;
  readonly sent: { channel: string; content: unknown }[] = [];
  readonly downloads: string[] = [];
  reloads = 0;
  isHanging = false;
  zoomFactor = 1;
  corrected: string | null = null;
  #openHandler: (details: HandlerDetails) => WindowOpenHandlerResponse = () => ({ action: "allow" });

  constructor(id: number) {
    super();
    this.id = id;
  }
  /** Runs nothing, and never ends while the page hangs. */
  executeJavaScript(): Promise<null> {
    return this.isHanging ? new Promise(() => undefined) : Promise.resolve(null);
  }
  reload(): void {
    this.reloads++;
    this.navigate();
  }
  downloadURL(url: string): void {
    this.downloads.push(url);
  }
  replaceMisspelling(text: string): void {
    this.corrected = text;
  }
  send(channel: string, content: unknown): void {
    this.sent.push({ channel, content });
  }
  setWindowOpenHandler(handler: (details: HandlerDetails) => WindowOpenHandlerResponse): void {
    this.#openHandler = handler;
  }
  /** The page opens a window; whether it may. */
  openWindow(url: string): WindowOpenHandlerResponse {
    const referrer = { url: "", policy: "no-referrer" } as const;
    return this.#openHandler({ url, frameName: "", features: "", disposition: "new-window", referrer });
  }
  setZoomFactor(factor: number): void {
    this.zoomFactor = factor;
  }
  /** A new document takes the place of the page. */
  navigate(): void {
    this.emit("did-start-navigation", { isMainFrame: true, isSameDocument: false });
    this.emit("did-navigate", {}, "app://parley/", 200, "OK");
  }
  /** What the page heard by this name. */
  heardBy(name: string): unknown[] {
    return this.sent.filter(({ channel }) => channel === `parley:${name}`).map(({ content }) => content);
  }
}

/** A window that does at once what it is told. */
export class FakeWindow extends Fake implements WindowPart {
  readonly webContents: FakeContents;
  readonly options: BrowserWindowConstructorOptions;
  bounds: Rectangle;
  address = "";
  overlay: { image: NativeImage | null; description: string } | null = null;
  isFlashing = false;
  #isDestroyed = false;
  #isFocused = false;
  #isFullScreen = false;
  #isMaximized = false;
  #isMinimized = false;
  #isVisible = false;

  constructor(options: BrowserWindowConstructorOptions, id: number) {
    super();
    this.options = options;
    this.webContents = new FakeContents(id);
    this.bounds = {
      x: options.x ?? 0,
      y: options.y ?? 0,
      width: options.width ?? 800,
      height: options.height ?? 600,
    };
    this.#isVisible = options.show ?? true;
  }
  /** The person or the application closes it. */
  close(): void {
    const event = new FakeEvent();
    this.emit("close", event);
    if (event.defaultPrevented) return;
    this.#isDestroyed = true;
    this.emit("closed");
  }
  flashFrame(flag: boolean): void {
    this.isFlashing = flag;
  }
  focus(): void {
    this.#isFocused = true;
    this.emit("focus");
  }
  blur(): void {
    this.#isFocused = false;
    this.emit("blur");
  }
  getBounds(): Rectangle {
    return this.bounds;
  }
  getMediaSourceId(): string {
    return "window:1:1";
  }
  getNormalBounds(): Rectangle {
    return this.bounds;
  }
  hide(): void {
    this.#isVisible = false;
    if (this.#isFocused) this.blur();
    this.emit("hide");
  }
  isDestroyed(): boolean {
    return this.#isDestroyed;
  }
  isFocused(): boolean {
    return this.#isFocused;
  }
  isFullScreen(): boolean {
    return this.#isFullScreen;
  }
  isMaximized(): boolean {
    return this.#isMaximized;
  }
  isMinimized(): boolean {
    return this.#isMinimized;
  }
  isVisible(): boolean {
    return this.#isVisible;
  }
  async loadURL(address: string): Promise<void> {
    this.address = address;
    this.webContents.navigate();
  }
  maximize(): void {
    this.#isMaximized = true;
    this.#isVisible = true;
    this.emit("maximize");
  }
  minimize(): void {
    this.#isMinimized = true;
    this.#isVisible = true;
    this.blur();
    this.emit("minimize");
  }
  restore(): void {
    this.#isMinimized = false;
    this.emit("restore");
  }
  setFullScreen(flag: boolean): void {
    this.#isFullScreen = flag;
    this.emit(flag ? "enter-full-screen" : "leave-full-screen");
  }
  setOverlayIcon(image: NativeImage | null, description: string): void {
    this.overlay = { image, description };
  }
  show(): void {
    this.#isVisible = true;
    this.focus();
    this.emit("show");
  }
  unmaximize(): void {
    this.#isMaximized = false;
    this.emit("unmaximize");
  }
}
