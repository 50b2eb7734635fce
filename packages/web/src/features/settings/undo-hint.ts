import type { TextId } from "../../kit/i18n.ts";

/** Text that tells where the notification permission can be changed in this browser. */
export function undoHintFor(userAgent: string): TextId {
  if (/Firefox\//.test(userAgent)) return "settings.undoFirefox";
  if (/Chrome\/|Chromium\/|Edg/.test(userAgent)) return "settings.undoChrome";
  if (/Safari\//.test(userAgent)) return "settings.undoSafari";
  return "settings.undoOther";
}
