import type { DesktopBridge } from "@parley/desktop/bridge/desktop-bridge";
import { fitNotification, fitTag } from "./fit-notification.ts";
import type { NotificationContent, ShownNotification } from "./system-notification.ts";

/** Enough for the largest icons that systems show. */
const ICON_SIDE_PX = 128;
/** After this time a notification is shown without its picture. */
const ICON_WAIT_MS = 3_000;

/** What a person may do with a notification that is on the screen. */
interface Answers {
  readonly open: () => void;
  readonly accept?: () => void;
  readonly reject?: () => void;
}

/** The notifications on the screen by their tags. */
const shown = new Map<string, Answers>();
const heard = new WeakSet<DesktopBridge>();

/** Has the main process show a notification; a newer one with the same tag replaces it. Accepting also shows the window, as a click does. */
export function showDesktopNotification(
  bridge: DesktopBridge,
  wantedTag: string,
  { title, body, icon, isLasting = false, actions }: Omit<NotificationContent, "about">,
  onClick: () => void,
): ShownNotification {
  hearAnswers(bridge);
  const tag = fitTag(wantedTag);
  const answers: Answers = {
    open: onClick,
    ...(actions && { accept: actions.accept.run, reject: actions.reject.run }),
  };
  shown.set(tag, answers);
  const show = async () => {
    const picture = icon === null ? null : await iconInTime(icon);
    // It was closed or replaced while the picture was loaded. Pictures arrive in any order, and of two notifications with the same tag only the newer one may be shown.
    if (shown.get(tag) !== answers) return;
    const buttons = actions
      ? (["accept", "reject"] as const).map((action) => ({ action, label: actions[action].label }))
      : [];
    const notification = { tag, title, body, icon: picture, isLasting, actions: buttons };
    await bridge.request("showNotification", fitNotification(notification));
  };
  // As everywhere, the list of chats shows what no notification does.
  show().catch(reportError);
  return {
    close() {
      if (shown.get(tag) === answers) close(bridge, tag);
    },
  };
}

function close(bridge: DesktopBridge, tag: string): void {
  shown.delete(tag);
  bridge.request("closeNotification", tag).catch(reportError);
}

/** Does what the person chose at a notification. One of an earlier page, or one that is closed, does nothing. */
function hearAnswers(bridge: DesktopBridge): void {
  if (heard.has(bridge)) return;
  heard.add(bridge);
  bridge.on("notificationActed", ({ tag, action }) => {
    const answers = shown.get(tag);
    if (answers === undefined) return;
    close(bridge, tag);
    if (action !== "reject") window.focus();
    answers[action]?.();
  });
}

/** The picture as a small square PNG; null if it cannot be had in time. */
async function iconInTime(url: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const tooLate = new AbortController();
  const { signal } = tooLate;
  const timer = setTimeout(() => tooLate.abort(), ICON_WAIT_MS);
  // Reading a picture takes no signal, and may never end.
  const nothing = new Promise<null>((resolve) => signal.addEventListener("abort", () => resolve(null)));
  try {
    return await Promise.race([iconBytes(url, signal), nothing]);
  } finally {
    clearTimeout(timer);
  }
}

async function iconBytes(url: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const response = await fetch(url, { signal });
    if (!response.ok) return null;
    const objectUrl = URL.createObjectURL(await response.blob());
    try {
      const picture = Object.assign(new Image(), { src: objectUrl });
      await picture.decode();
      return await squarePng(picture);
    } finally {
      URL.revokeObjectURL(objectUrl);
    }
  } catch {
    // A notification without its picture is better than none.
    return null;
  }
}

/** The middle of the picture, scaled. */
async function squarePng(picture: HTMLImageElement): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = new OffscreenCanvas(ICON_SIDE_PX, ICON_SIDE_PX);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("the browser gives no canvas");
  const { naturalWidth: width, naturalHeight: height } = picture;
  const scale = ICON_SIDE_PX / Math.min(width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(
    picture,
    (ICON_SIDE_PX - width * scale) / 2,
    (ICON_SIDE_PX - height * scale) / 2,
    width * scale,
    height * scale,
  );
  const blob = await canvas.convertToBlob({ type: "image/png" });
  return new Uint8Array(await blob.arrayBuffer());
}
