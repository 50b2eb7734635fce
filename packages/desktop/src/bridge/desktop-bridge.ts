/**
 * Everything that a page and the main process of the desktop application may say to each other. The preload script and the main process
 * check each message against these schemas; the page uses the types only.
 */
import * as z from "zod/mini";
import { deepLink } from "./deep-link.ts";

const TAG_MAX = 200;
const TITLE_MAX = 300;
const BODY_MAX = 2_000;
const LABEL_MAX = 60;
const SECRET_MAX = 20_000;
const ICON_BYTES_MAX = 1_048_576;
export const ZOOM_MIN_PERCENT = 50;
export const ZOOM_MAX_PERCENT = 200;

const nothing = z.null();
const tag = z.string().check(z.minLength(1), z.maxLength(TAG_MAX));
const png = z.instanceof(Uint8Array);

/** What the person chose for this device. The main process keeps it. */
export const desktopSettings = z.object({
  /** What closing the window does; `ask` until the person lets the application remember an answer. `hide` leaves it in the tray. */
  closeAction: z.enum(["ask", "quit", "hide"]),
  /** Whether the tray icon blinks and the window flashes when something arrives. */
  drawsAttention: z.boolean(),
  opensAtLogin: z.boolean(),
  zoomPercent: z.int().check(z.minimum(ZOOM_MIN_PERCENT), z.maximum(ZOOM_MAX_PERCENT)),
});
export type DesktopSettings = z.infer<typeof desktopSettings>;

const windowState = z.object({
  isMaximized: z.boolean(),
  isFullScreen: z.boolean(),
  isFocused: z.boolean(),
});
export type WindowState = z.infer<typeof windowState>;

/** A screen or window that can be shown in a call. */
const screenSource = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(TAG_MAX)),
  name: z.string(),
  isScreen: z.boolean(),
  thumbnail: png,
});
export type ScreenSource = z.infer<typeof screenSource>;

const notificationAction = z.enum(["accept", "reject"]);

/** What a page asks of the main process: its input and its answer. */
export const DESKTOP_REQUESTS = {
  /** Answers with the state at the start and with the link that started the application; from now on the page hears all events. */
  start: {
    input: nothing,
    output: z.object({ settings: desktopSettings, window: windowState, link: z.nullable(deepLink) }),
  },
  changeSettings: { input: z.partial(desktopSettings), output: desktopSettings },
  /** `close` does what the person chose for closing, so that `closeRequested` may follow. */
  controlWindow: { input: z.enum(["minimize", "toggleMaximize", "close"]), output: nothing },
  /** Answers `closeRequested`. */
  confirmClose: {
    input: z.object({ action: z.enum(["quit", "hide"]), isRemembered: z.boolean() }),
    output: nothing,
  },
  /** The language of menus and native dialogs; spelling is not checked in Chinese. */
  setLanguage: { input: z.enum(["zh-CN", "zh-TW", "en-US"]), output: nothing },
  /** Shows the number at the tray and the application's icon. */
  setUnread: { input: z.int().check(z.minimum(0)), output: nothing },
  /** Flashes the window until it gets the focus, if the person wants that. */
  drawAttention: { input: nothing, output: nothing },
  /** Replaces the one with the same tag. False: the system shows none. */
  showNotification: {
    input: z.object({
      tag,
      title: z.string().check(z.maxLength(TITLE_MAX)),
      body: z.string().check(z.maxLength(BODY_MAX)),
      icon: z.nullable(png.check(z.refine((bytes) => bytes.length <= ICON_BYTES_MAX))),
      /** Stays until it is closed. */
      isLasting: z.boolean(),
      actions: z
        .array(z.object({ action: notificationAction, label: z.string().check(z.maxLength(LABEL_MAX)) }))
        .check(z.maxLength(2)),
    }),
    output: z.boolean(),
  },
  closeNotification: { input: tag, output: nothing },
  /** A picture of the screen on which the window is, without the window. */
  captureScreen: {
    input: nothing,
    output: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("picture"), png }),
      /** The system does not let this application see the screen. */
      z.object({ kind: z.literal("denied") }),
      z.object({ kind: z.literal("failed") }),
    ]),
  },
  /** Answers `screenRequested`; null: nothing is shown. */
  chooseScreen: {
    input: z.object({ requestId: z.int(), sourceId: z.nullable(z.string()) }),
    output: nothing,
  },
  /** Encrypts with a key of the system's key store. Null: the system has none. */
  sealSecret: { input: z.string().check(z.maxLength(SECRET_MAX)), output: z.nullable(z.string()) },
  /** Null: sealed on another device or by another person of this device. */
  openSecret: { input: z.string().check(z.maxLength(SECRET_MAX * 4)), output: z.nullable(z.string()) },
} as const;
export type DesktopRequest = keyof typeof DESKTOP_REQUESTS;
export type DesktopInput<Name extends DesktopRequest> = z.infer<(typeof DESKTOP_REQUESTS)[Name]["input"]>;
export type DesktopOutput<Name extends DesktopRequest> = z.infer<(typeof DESKTOP_REQUESTS)[Name]["output"]>;

/** What the main process tells a page. */
export const DESKTOP_EVENTS = {
  windowChanged: windowState,
  settingsChanged: desktopSettings,
  /** The person closes the window; the page asks what that means and answers with `confirmClose`. */
  closeRequested: nothing,
  linkOpened: deepLink,
  notificationActed: z.object({ tag, action: z.enum(["open", ...notificationAction.options]) }),
  /** A call wants to show a screen; the page asks which, and answers with `chooseScreen`. */
  screenRequested: z.object({ requestId: z.int(), sources: z.array(screenSource) }),
} as const;
export type DesktopEvent = keyof typeof DESKTOP_EVENTS;
export type DesktopEventContent<Name extends DesktopEvent> = z.infer<(typeof DESKTOP_EVENTS)[Name]>;

/** What the preload script gives the page as `window.parleyDesktop`. */
export interface DesktopBridge {
  readonly platform: "darwin" | "linux" | "win32";
  /** Rejects if the main process refuses the input or fails. */
  request<Name extends DesktopRequest>(name: Name, input: DesktopInput<Name>): Promise<DesktopOutput<Name>>;
  /** Returns a function that ends it. */
  on<Name extends DesktopEvent>(
    name: Name,
    listener: (content: DesktopEventContent<Name>) => void,
  ): () => void;
}

/** The channel of a request or an event between the processes. */
export const channelOf = (name: DesktopRequest | DesktopEvent): string => `parley:${name}`;
