/** Sends web pushes: encrypted messages that the push service of a browser hands to the service worker of a device. */

/** Where a device is reached: what its browser gave it. */
export interface WebPushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** One message for a device. */
export interface WebPush {
  /** Only the device can read it. */
  payload: string;
  /** How long the push service keeps it for a device that is switched off. */
  ttlSeconds: number;
  urgency: "normal" | "high";
  /** At most 32 characters of base64url. Of several with one topic that wait for a device, the push service keeps the newest. */
  topic: string;
}

/** What became of a web push. */
export type WebPushOutcome =
  | { kind: "accepted" }
  /** The subscription does not exist any more. */
  | { kind: "gone" }
  /** It may be tried again, after this time if the push service named one. */
  | { kind: "later"; retryAfterMs: number | null; reason: string }
  /** Trying again would not help. */
  | { kind: "refused"; reason: string };

/** The connection to the push services of the browsers. Reasons name no endpoint beyond its host, so they may be logged. */
export interface WebPushSender {
  /** The key by which push services know this server (base64url); browsers need it to subscribe. */
  readonly publicKey: string;
  /** Why a device cannot be reached by this address and key; undefined if nothing speaks against it. */
  flawOf(target: WebPushTarget): string | undefined;
  /** Never rejects, and ends within some seconds. */
  send(target: WebPushTarget, push: WebPush): Promise<WebPushOutcome>;
  /** Ends what is under way. */
  close(): void;
}
