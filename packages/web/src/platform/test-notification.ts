import { showWorkerNotification } from "./worker-notification.ts";

/** How long to wait for the browser to say that it has shown a notification. Some never say so. */
const SHOWN_WAIT_MS = 3_000;

/** Shows a notification for a test. False: the browser, or the system, refused or failed. */
export async function testSystemNotification(title: string, body: string): Promise<boolean> {
  try {
    const sample = { tag: "parley-test", title, body, icon: null, isLasting: false, actions: [] };
    const desktop = window.parleyDesktop;
    if (desktop !== undefined) return await desktop.request("showNotification", sample);
    const notification = new Notification(title, { body, tag: "parley-test", silent: true });
    return await new Promise((resolve) => {
      notification.addEventListener("show", () => resolve(true));
      notification.addEventListener("error", () => resolve(false));
      setTimeout(() => resolve(true), SHOWN_WAIT_MS);
    });
  } catch {
    return showWorkerNotification(title, { body, tag: "parley-test", silent: true }).then(
      () => true,
      () => false,
    );
  }
}
