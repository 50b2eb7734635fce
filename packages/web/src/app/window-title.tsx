import { useEffect } from "react";
import { titleParts } from "@parley/core/model/format";
import { totalUnread } from "@parley/core/model/selectors";
import type { State } from "@parley/core/model/state";
import { useText } from "../kit/i18n/i18n.ts";
import { useClientState } from "../kit/loading/use-client.ts";
import { badgeText } from "../ui/badge-text.ts";

/** Title of the window: unread count, if any, and the person's nickname or user name; the product's name without a user (spec §2). */
export function windowTitle(
  state: Pick<State, "session" | "me"> & Parameters<typeof totalUnread>[0],
  product: string,
): string {
  const isSignedIn = state.session.kind !== "anonymous";
  const { name, unread } = titleParts(isSignedIn ? state.me : null, isSignedIn ? totalUnread(state) : 0);
  return unread > 0 ? `(${unread}) ${name ?? product}` : (name ?? product);
}

/** Sets the title of the window. */
export function WindowTitle() {
  const t = useText();
  const product = t("app.name");
  return <title>{useClientState((state) => windowTitle(state, product))}</title>;
}

const PLAIN_ICON = "/favicon.svg";
const SIZE = 64;

/** Shows the unread count on the page's icon and, if the browser supports it, on the app's icon (interface §16). */
export function useUnreadBadge(): void {
  const unread = useClientState(totalUnread);
  useEffect(() => {
    void setAppBadge(unread);
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon === null) return;
    const text = badgeText(unread);
    let isCurrent = true;
    void (async () => {
      const href = text === null ? PLAIN_ICON : await drawIcon(text);
      if (!isCurrent) return;
      icon.href = href;
      icon.type = text === null ? "image/svg+xml" : "image/png";
      icon.dataset["badge"] = text ?? "";
    })();
    return () => {
      isCurrent = false;
    };
  }, [unread]);
  // Remove the badge at sign-out.
  useEffect(
    () => () => {
      void setAppBadge(0);
      const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
      if (icon !== null)
        Object.assign(icon, { href: PLAIN_ICON, type: "image/svg+xml" }).dataset["badge"] = "";
    },
    [],
  );
}

/** Sets the badge of an installed app. Browsers may refuse it for a page in a tab. */
async function setAppBadge(count: number): Promise<void> {
  try {
    await (count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.());
  } catch {
    // Not installed.
  }
}

/** Draws the product's icon with a badge in its corner; without a canvas returns the plain icon. */
async function drawIcon(text: string): Promise<string> {
  const image = new Image();
  image.src = PLAIN_ICON;
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  try {
    await image.decode();
  } catch {
    return PLAIN_ICON;
  }
  if (context === null) return PLAIN_ICON;
  canvas.width = SIZE;
  canvas.height = SIZE;
  context.drawImage(image, 0, 0, SIZE, SIZE);
  const { fill, ink, family } = badgeStyle();
  const height = 36;
  context.font = `700 ${text.length > 2 ? 24 : 30}px ${family}`;
  const width = Math.max(height, context.measureText(text).width + 12);
  context.fillStyle = fill;
  context.beginPath();
  context.roundRect(SIZE - width, 0, width, height, height / 2);
  context.fill();
  context.fillStyle = ink;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, SIZE - width / 2, height / 2 + 3);
  return canvas.toDataURL("image/png");
}

/** Colours and font of the badge, always of the light theme, because the browser's frame does not follow ours. */
function badgeStyle(): { fill: string; ink: string; family: string } {
  const element = document.createElement("span");
  element.style.cssText = "color-scheme: light; background: var(--badge); color: var(--on-badge)";
  document.body.append(element);
  const { backgroundColor, color, fontFamily } = getComputedStyle(element);
  element.remove();
  return { fill: backgroundColor, ink: color, family: fontFamily };
}
