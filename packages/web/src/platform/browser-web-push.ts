import type { Log, PushAddress, WebPushPort } from "@parley/core/ports";
import { registerServiceWorker } from "./service-worker.ts";

/** Web push of this browser, which the service worker receives (`src/service-worker/push.ts`). */
export function browserWebPush(log: Log): WebPushPort {
  const failed = (error: unknown) => {
    if (error instanceof DOMException && error.name === "NotAllowedError") return "denied";
    log.warn("this browser could not be subscribed to web push", { error });
    return "failed";
  };
  return {
    async subscribe(publicKey) {
      try {
        const registration = await readyRegistration(log);
        if (registration === null) return "failed";
        return addressOf(await subscriptionWith(registration.pushManager, publicKey)) ?? "failed";
      } catch (error) {
        return failed(error);
      }
    },
    async unsubscribe() {
      if (!("serviceWorker" in navigator)) return;
      const registration = await navigator.serviceWorker.getRegistration();
      await (await registration?.pushManager.getSubscription())?.unsubscribe();
    },
  };
}

/** The service worker, installed now if the page has none yet; null if there is none. */
async function readyRegistration(log: Log): Promise<ServiceWorkerRegistration | null> {
  const { serviceWorker } = navigator;
  const isKnown = (await serviceWorker.getRegistration()) !== undefined;
  // Without a worker, `ready` would never resolve.
  if (!isKnown && (await registerServiceWorker(log)) === null) return null;
  return serviceWorker.ready;
}

async function subscriptionWith(manager: PushManager, publicKey: string): Promise<PushSubscription> {
  const existing = await manager.getSubscription();
  if (existing !== null) {
    if (base64url(existing.options.applicationServerKey) === publicKey) return existing;
    await existing.unsubscribe();
  }
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

function addressOf(subscription: PushSubscription): PushAddress | null {
  const [p256dh, auth] = [base64url(subscription.getKey("p256dh")), base64url(subscription.getKey("auth"))];
  return p256dh === null || auth === null ? null : { endpoint: subscription.endpoint, p256dh, auth };
}

function base64url(bytes: ArrayBuffer | null): string | null {
  if (bytes === null) return null;
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
