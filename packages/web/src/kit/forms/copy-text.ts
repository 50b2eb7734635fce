import { currentText } from "../i18n/i18n.ts";
import { toasts } from "../dialogs/toasts.ts";

/** Copies a text to the clipboard; false if the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  // A page loaded over plain http, as on a company's own network, has no clipboard API.
  if (!window.isSecureContext) return copyBySelection(text);
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** The old way: trigger a copy and replace the copied data in the `copy` event. */
function copyBySelection(text: string): boolean {
  let isCopied = false;
  const writeText = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    event.stopImmediatePropagation();
    isCopied = true;
  };
  document.addEventListener("copy", writeText, { capture: true });
  document.execCommand("copy");
  document.removeEventListener("copy", writeText, { capture: true });
  return isCopied;
}

/** Copies a text and shows a toast with the result. */
export async function copyWithToast(text: string): Promise<void> {
  const isCopied = await copyText(text);
  const t = currentText();
  if (isCopied) toasts.success(t("chat.copied"));
  else toasts.error(t("chat.copyRefused"));
}
