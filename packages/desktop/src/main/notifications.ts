import type { DesktopEventContent, DesktopInput } from "../bridge/desktop-bridge.ts";
import type { ElectronParts, NotificationPart, Platform } from "./electron-parts.ts";
import type { Log } from "./log-file.ts";

type Acted = DesktopEventContent<"notificationActed">;

/** Systems keep older ones. */
const OPEN_MAX = 100;

interface NotificationOptions {
  readonly electron: Pick<ElectronParts, "images" | "notifications">;
  readonly platform: Platform;
  /** The person has clicked a notification or one of its buttons. */
  readonly onActed: (acted: Acted) => void;
  readonly log: Log;
}

/** The notifications of the system that are open, by tag. */
export class SystemNotifications {
  readonly #options: NotificationOptions;
  /** Also keeps them from being collected as garbage, after which their clicks would not arrive. */
  readonly #open = new Map<string, NotificationPart>();

  constructor(options: NotificationOptions) {
    this.#options = options;
  }

  /** Replaces the one with the same tag. False: the system shows none. */
  show({ tag, title, body, icon, isLasting, actions }: DesktopInput<"showNotification">): boolean {
    const { electron, platform, onActed, log } = this.#options;
    if (!electron.notifications.isSupported()) return false;
    this.close(tag);
    const notification = electron.notifications.create({
      title,
      body: platform === "linux" ? withoutMarkup(body) : body,
      // The client plays its own sounds.
      silent: true,
      ...(icon !== null && { icon: electron.images.fromPng(icon) }),
      timeoutType: isLasting ? "never" : "default",
      // Desktops on Linux let only these stay.
      urgency: isLasting ? "critical" : "normal",
      // Where the system shows no buttons, a click opens the window, which has them.
      actions: actions.map(({ label }) => ({ type: "button", text: label })),
    });
    const drop = (): void => {
      // It may have been replaced.
      if (this.#open.get(tag) === notification) this.#open.delete(tag);
    };
    const act = (action: Acted["action"]): void => {
      drop();
      onActed({ tag, action });
    };
    notification.on("click", () => act("open"));
    notification.on("action", ({ actionIndex }) => act(actions[actionIndex]?.action ?? "open"));
    // Windows moves it into its action centre then, where it can still be clicked and has to be removed.
    notification.on("close", ({ reason }) => {
      if (reason !== "timedOut") drop();
    });
    notification.on("failed", (_event, error) => {
      drop();
      log.error("the system does not show a notification", error);
    });
    this.#open.set(tag, notification);
    const [oldest] = this.#open.keys();
    if (this.#open.size > OPEN_MAX && oldest !== undefined) this.close(oldest);
    notification.show();
    return true;
  }

  close(tag: string): void {
    const notification = this.#open.get(tag);
    this.#open.delete(tag);
    notification?.close();
  }

  /** The page that could act on them is no longer there. */
  closeAll(): void {
    for (const tag of this.#open.keys()) this.close(tag);
  }
}

/** Desktops of Linux read bodies as markup. */
function withoutMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
