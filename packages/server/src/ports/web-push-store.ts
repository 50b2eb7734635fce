/** Web push subscriptions: the part of `store.ts` for them. */

/** A device that wants to be told while no page of it is open. It belongs to a session and ends with it. */
export interface WebPushSubscription {
  sessionId: string;
  userId: number;
  /** Where the push service of the browser takes messages. Anybody who knows it can send to the device, so it is never logged. */
  endpoint: string;
  /** The public key of the device, base64url. */
  p256dh: string;
  /** The secret of the subscription, base64url. */
  auth: string;
  /** Whether pushes name the sender and hold the text. */
  hasPreview: boolean;
  /** The person's language on this device. */
  language: string;
  createdAt: number;
}

/** A subscription with the device of its session. */
export interface SubscribedDevice extends WebPushSubscription {
  deviceNo: string | null;
}

/** The pair of keys by which push services know this installation (RFC 8292), base64url. */
export interface WebPushKeys {
  publicKey: string;
  privateKey: string;
}

/** What is read about these keys. */
export interface WebPushKeyReads {
  /** Undefined before they were set. */
  findWebPushKeys(): Promise<WebPushKeys | undefined>;
}

/** What a transaction writes about these keys. */
export interface WebPushKeyWrites {
  /** Subscriptions work only with the keys that they were made for. */
  setWebPushKeys(keys: WebPushKeys): Promise<void>;
}

/** What is read about web push subscriptions. */
export interface WebPushReads {
  /** The subscriptions of these people whose sessions have neither ended nor expired. Any number of ids. */
  listWebPushSubscriptions(userIds: readonly number[], now: number): Promise<SubscribedDevice[]>;
  /** The people with a subscription, each once. */
  listWebPushUsers(): Promise<number[]>;
}

/** What a transaction writes about web push subscriptions. Ending a session deletes its subscription. */
export interface WebPushWrites {
  /**
   * Stores the subscription of a session in place of the one it had. An earlier one of the same browser (same endpoint and secret) goes,
   * and the oldest of the person go if there are more than `max`.
   */
  putWebPushSubscription(subscription: WebPushSubscription, max: number): Promise<void>;
  /** Deletes the subscription of a session; with an endpoint only if it still has that one. */
  deleteWebPushSubscription(sessionId: string, endpoint?: string): Promise<void>;
}
