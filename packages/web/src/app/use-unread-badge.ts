import { useEffect } from "react";
import { totalUnread } from "@parley/core/model/selectors";
import { useClientState } from "../kit/use-client.ts";
import { badgeText } from "../ui/badge-text.ts";

const PLAIN = "/favicon.svg";
const SIZE = 64;

/** The number that the title shows, on the page's icon and, where the browser can, on the app's (interface §16). */
export function useUnreadBadge(): void {
  const unread = useClientState((state) => totalUnread(state.chats));
  useEffect(() => {
    void setAppBadge(unread);
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon === null) return;
    const text = badgeText(unread);
    let isWanted = true;
    void (async () => {
      const href = text === null ? PLAIN : await drawIcon(text);
      if (!isWanted) return;
      icon.href = href;
      icon.type = text === null ? "image/svg+xml" : "image/png";
      icon.dataset["badge"] = text ?? "";
    })();
    return () => {
      isWanted = false;
    };
  }, [unread]);
  // Nobody signed in, nothing unread.
  useEffect(
    () => () => {
      void setAppBadge(0);
      const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
      if (icon !== null) Object.assign(icon, { href: PLAIN, type: "image/svg+xml" }).dataset["badge"] = "";
    },
    [],
  );
}

/** Installed apps have a badge; pages in a tab may be refused one, which changes nothing for them. */
async function setAppBadge(count: number): Promise<void> {
  try {
    await (count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.());
  } catch {
    // Not installed.
  }
}

/** The product's icon with a badge at its corner. Without a canvas the plain icon stays. */
async function drawIcon(text: string): Promise<string> {
  const image = new Image();
  image.src = PLAIN;
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  try {
    await image.decode();
  } catch {
    return PLAIN;
  }
  if (pen === null) return PLAIN;
  canvas.width = SIZE;
  canvas.height = SIZE;
  pen.drawImage(image, 0, 0, SIZE, SIZE);
  const { fill, ink, family } = badgeStyle();
  const height = 36;
  pen.font = `700 ${text.length > 2 ? 24 : 30}px ${family}`;
  const width = Math.max(height, pen.measureText(text).width + 12);
  pen.fillStyle = fill;
  pen.beginPath();
  pen.roundRect(SIZE - width, 0, width, height, height / 2);
  pen.fill();
  pen.fillStyle = ink;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, SIZE - width / 2, height / 2 + 3);
  return canvas.toDataURL("image/png");
}

/** The badge's colours in the light theme: the browser's frame has none of ours. */
function badgeStyle(): { fill: string; ink: string; family: string } {
  const probe = document.createElement("span");
  probe.style.cssText = "color-scheme: light; background: var(--badge); color: var(--on-badge)";
  document.body.append(probe);
  const { backgroundColor, color, fontFamily } = getComputedStyle(probe);
  probe.remove();
  return { fill: backgroundColor, ink: color, family: fontFamily };
}
