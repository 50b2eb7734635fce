/** What a page tells the service worker. */
export type WorkerMessage =
  /** The person accepts the new version that waits. */
  | { readonly kind: "activate" }
  /** The person has signed out: what belongs to the person must go. */
  | { readonly kind: "signedOut" }
  /** The server can be reached: remove saved pictures that it has deleted. */
  | { readonly kind: "checkPictures" }
  /** The messages with these files were recalled. */
  | { readonly kind: "filesRecalled"; readonly urls: readonly string[] };

/** Whether the data of a message event is this message of a page. */
export function isWorkerMessage<Kind extends WorkerMessage["kind"]>(
  data: unknown,
  kind: Kind,
): data is Extract<WorkerMessage, { kind: Kind }> {
  return typeof data === "object" && data !== null && "kind" in data && data.kind === kind;
}

/** What a notification of a web push is about: the `data` that it carries. */
export interface PushedNotification {
  readonly userId: number;
  /** The key of the chat. */
  readonly chat: string;
  /** The position of its newest message; null if it is about no unread message, such as a call. */
  readonly newest: number | null;
  /** How many messages it stands for. */
  readonly count: number;
}

/** What the service worker tells the pages. */
export type WorkerNews =
  /** The person has clicked a notification. */
  | { readonly kind: "pushClicked"; readonly about: PushedNotification }
  /** The browser has given up its subscription. */
  | { readonly kind: "pushSubscriptionChanged" };

/** Whether the data of a message event is news of our service worker. */
export function isWorkerNews(data: unknown): data is WorkerNews {
  if (typeof data !== "object" || data === null || !("kind" in data)) return false;
  return data.kind === "pushClicked" || data.kind === "pushSubscriptionChanged";
}
