/** What a page tells the service worker. */
export type WorkerMessage =
  /** The person accepts the new version that waits. */
  | { readonly kind: "activate" }
  /** The person has signed out: what belongs to the person must go. */
  | { readonly kind: "signedOut" }
  /** The server can be reached: remove saved pictures that it has deleted. */
  | { readonly kind: "checkPictures" };

/** Whether the data of a message event is this message of a page. */
export function isWorkerMessage<Kind extends WorkerMessage["kind"]>(
  data: unknown,
  kind: Kind,
): data is Extract<WorkerMessage, { kind: Kind }> {
  return typeof data === "object" && data !== null && "kind" in data && data.kind === kind;
}
