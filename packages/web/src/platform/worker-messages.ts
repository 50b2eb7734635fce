/** What a page tells the service worker. */
export type WorkerMessage =
  /** The person accepts the new version that waits. */
  { readonly kind: "activate" };

/** Whether the data of a message event is this message of a page. */
export function isWorkerMessage<Kind extends WorkerMessage["kind"]>(
  data: unknown,
  kind: Kind,
): data is Extract<WorkerMessage, { kind: Kind }> {
  return typeof data === "object" && data !== null && "kind" in data && data.kind === kind;
}
