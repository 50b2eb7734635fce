import { currentText } from "./i18n.ts";
import { toasts } from "./toasts.ts";

/** Puts a text on the clipboard; false when the browser does not let us. */
export async function copyText(text: string): Promise<boolean> {
  // A page that came over plain http, as on a company's own network, has no clipboard to write to.
  if (!window.isSecureContext) return copyBySelection(text);
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** The old way: what the browser copies is replaced on its way. */
function copyBySelection(text: string): boolean {
  let isDone = false;
  const put = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    event.stopImmediatePropagation();
    isDone = true;
  };
  document.addEventListener("copy", put, { capture: true });
  document.execCommand("copy");
  document.removeEventListener("copy", put, { capture: true });
  return isDone;
}

/** The same, and says whether it is there. */
export async function copyWithToast(text: string): Promise<void> {
  const isDone = await copyText(text);
  const t = currentText();
  if (isDone) toasts.success(t("chat.copied"));
  else toasts.error(t("chat.copyRefused"));
}
