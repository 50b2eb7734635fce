import type { PushAddress, WebPushPort } from "../ports.ts";

/** A browser whose subscription a test looks at. */
export interface FakeWebPush extends WebPushPort {
  /** The key of the subscription; null: there is none. */
  subscribedKey: string | null;
  /** What the browser answers instead of a subscription. */
  refusal: "denied" | "failed" | null;
}

/** The address that the browser gives. */
export const PUSH_ADDRESS: PushAddress = {
  endpoint: "https://push.example.org/device",
  p256dh: "k".repeat(87),
  auth: "a".repeat(22),
};

/** Creates a browser without a subscription. */
export function createFakeWebPush(): FakeWebPush {
  const browser: FakeWebPush = {
    subscribedKey: null,
    refusal: null,
    async subscribe(publicKey) {
      if (browser.refusal !== null) return browser.refusal;
      browser.subscribedKey = publicKey;
      return PUSH_ADDRESS;
    },
    async unsubscribe() {
      browser.subscribedKey = null;
    },
  };
  return browser;
}
