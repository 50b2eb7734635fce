/** Pictures of the screen, and screens in calls. */
import type { DesktopCapturerSource, Display, Streams } from "electron";
import type { DesktopInput, DesktopOutput } from "../bridge/desktop-bridge.ts";
import type { ElectronParts, Platform, SessionPart, WindowPart } from "./electron-parts.ts";
import type { Log } from "./log-file.ts";
import { isOwnAddress } from "./own-origin.ts";
import type { PageBridge } from "./page-bridge.ts";

/** Systems fade a window out. */
const FADE_MS = 300;
/** Nobody looks at a choice for longer. */
const CHOICE_MS = 300_000;
const THUMBNAIL_SIZE = { width: 320, height: 200 } as const;

interface ScreenOptions {
  readonly electron: Pick<ElectronParts, "desktopCapturer" | "screen" | "systemPreferences">;
  readonly platform: Platform;
  readonly window: WindowPart;
  readonly bridge: PageBridge;
  readonly log: Log;
}

interface PendingChoice {
  readonly requestId: number;
  readonly sources: readonly DesktopCapturerSource[];
  readonly hasAudio: boolean;
  readonly timer: NodeJS.Timeout;
  readonly answer: (streams: Streams | null) => void;
}

export class Screens {
  readonly #options: ScreenOptions;
  #requests = 0;
  #pending: PendingChoice | null = null;

  constructor(options: ScreenOptions) {
    this.#options = options;
    options.bridge.onEnd(() => this.#answer(null));
  }

  /** A picture of the display on which the window is, without the window. */
  async capture(): Promise<DesktopOutput<"captureScreen">> {
    const { window, log } = this.#options;
    // Only what the person sees may begin it: a page could otherwise watch the screen from the tray.
    if (!window.isVisible() || !window.isFocused()) return { kind: "failed" };
    const { screen } = this.#options.electron;
    const display = screen.getDisplayMatching(window.getBounds());
    // In full screen it has the display for itself, and macOS would change the space.
    const hasToLeave = !window.isFullScreen();
    try {
      if (hasToLeave) {
        window.hide();
        await new Promise((resolve) => {
          setTimeout(resolve, FADE_MS);
        });
      }
      const thumbnail = (await this.#sourceOf(display))?.thumbnail;
      if (thumbnail === undefined || thumbnail.isEmpty())
        return { kind: this.#isDenied() ? "denied" : "failed" };
      return { kind: "picture", png: Uint8Array.from(thumbnail.toPNG()) };
    } catch (error) {
      log.error("the screen was not captured", error);
      return { kind: this.#isDenied() ? "denied" : "failed" };
    } finally {
      if (hasToLeave && !window.isDestroyed()) window.show();
    }
  }

  /** Lets the page choose what a call shows. */
  shareOn(session: Pick<SessionPart, "setDisplayMediaRequestHandler">): void {
    session.setDisplayMediaRequestHandler((request, callback) => {
      const isOurs = isOwnAddress(request.securityOrigin) && request.videoRequested;
      if (!isOurs) {
        callback(null);
        return;
      }
      this.#offer(request.audioRequested, callback).catch((error: unknown) => {
        this.#options.log.error("no screen can be shown", error);
        callback(null);
      });
    });
  }

  /** The page has chosen; an answer to an earlier request has no effect. */
  choose({ requestId, sourceId }: DesktopInput<"chooseScreen">): void {
    const pending = this.#pending;
    if (pending?.requestId !== requestId) return;
    const video = pending.sources.find(({ id }) => id === sourceId);
    if (video === undefined) this.#answer(null);
    else {
      // Only Windows has the sound of the whole system.
      const isHeard = pending.hasAudio && this.#options.platform === "win32";
      this.#answer({ video: { id: video.id, name: video.name }, ...(isHeard && { audio: "loopback" }) });
    }
  }

  async #offer(hasAudio: boolean, answer: (streams: Streams | null) => void): Promise<void> {
    const { electron, window, bridge } = this.#options;
    const all = await electron.desktopCapturer.getSources({
      types: ["screen", "window"],
      thumbnailSize: THUMBNAIL_SIZE,
    });
    const own = window.getMediaSourceId();
    const sources = all.filter(({ id }) => id !== own);
    // A newer request of the page ends the older one.
    this.#answer(null);
    const requestId = ++this.#requests;
    const timer = setTimeout(() => this.#answer(null), CHOICE_MS);
    this.#pending = { requestId, sources, hasAudio, timer, answer };
    const isAsked = bridge.tell("screenRequested", {
      requestId,
      sources: sources.map(({ id, name, thumbnail }) => ({
        id,
        name,
        isScreen: id.startsWith("screen:"),
        thumbnail: Uint8Array.from(thumbnail.toPNG()),
      })),
    });
    if (!isAsked) this.#answer(null);
  }

  #answer(streams: Streams | null): void {
    const pending = this.#pending;
    this.#pending = null;
    clearTimeout(pending?.timer);
    pending?.answer(streams);
  }

  /** The source of a display at its full size in pixels. */
  async #sourceOf({ id, size, scaleFactor }: Display): Promise<DesktopCapturerSource | undefined> {
    const { desktopCapturer, screen } = this.#options.electron;
    const sources = await desktopCapturer.getSources({
      types: ["screen"],
      thumbnailSize: {
        width: Math.round(size.width * scaleFactor),
        height: Math.round(size.height * scaleFactor),
      },
    });
    // The person has chosen it in a dialog of the system.
    if (sources.length === 1 && this.#options.platform === "linux") return sources[0];
    const named = sources.find((source) => source.display_id === String(id));
    if (named !== undefined || sources.some((source) => source.display_id !== "")) return named;
    // Some systems on Linux do not say which display a source is.
    const displays = screen.getAllDisplays();
    return sources.length === displays.length
      ? sources[displays.findIndex((other) => other.id === id)]
      : sources[0];
  }

  /** macOS says so too before it has ever asked, and asks only when a picture is wanted: look at it afterwards. */
  #isDenied(): boolean {
    const { electron, platform } = this.#options;
    if (platform !== "darwin") return false;
    return ["denied", "restricted"].includes(electron.systemPreferences.getMediaAccessStatus("screen"));
  }
}
