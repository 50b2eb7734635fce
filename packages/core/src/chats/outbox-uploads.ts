import type { Failure, OutboxEntry, Sending } from "../model/state.ts";
import { mayPass } from "../storage/durable-queue.ts";
import type { ChatDeps } from "./chat-store.ts";
import type { FileUploads } from "./uploads.ts";

/** Uploads the files of the outbox, ahead of the turn of their messages. */
export interface OutboxUploads {
  /**
   * Uploads the files of an entry, unless that is under way or there are none, and puts the entry with its content in its place, or the
   * failed entry. Returns the failure of an upload that has to be repeated when the network is back.
   */
  upload(entry: OutboxEntry): Promise<Failure | null>;
  /** What an entry needs to be uploaded once more, because the server does not have its files; nothing if this page does not have them. */
  uploadAgain(entry: OutboxEntry): Partial<OutboxEntry>;
}

/** What the uploads need of the outbox. */
export interface OutboxUploadsDeps extends Pick<ChatDeps, "ports" | "database"> {
  readonly uploads: FileUploads;
  /** The entry as it is now. */
  entryOf(tmpId: string): OutboxEntry | undefined;
  showSending(entry: OutboxEntry, sending: Sending): void;
  /** Shows an entry and puts it in the place of the one with the same tmpId. */
  replace(entry: OutboxEntry, sending: Sending): void;
}

/** How long after a failed request the browser may notice that the network is gone. */
const NETWORK_LOSS_MS = 500;

/** Creates the uploads of an outbox. */
export function createOutboxUploads(deps: OutboxUploadsDeps): OutboxUploads {
  const { ports, database, uploads, entryOf, showSending, replace } = deps;
  /** The uploads that run or wait, by tmpId. */
  const running = new Map<string, Promise<Failure | null>>();

  async function uploadNow({ tmpId, type, upload }: OutboxEntry): Promise<Failure | null> {
    if (upload === null) return null;
    const result = await uploads.upload({ tmpId, type, upload }, () => {
      const entry = entryOf(tmpId);
      if (entry !== undefined) showSending(entry, "sending");
    });
    if (!result.ok && result.failure.kind === "network" && entryOf(tmpId) !== undefined) await networkLoss();
    // It may have been discarded or confirmed during the upload.
    const entry = entryOf(tmpId);
    if (entry === undefined || entry.failed || entry.upload === null) return null;
    if (result.ok) {
      replace({ ...entry, content: result.value, upload: null }, "sending");
      // Save it now, so that the file need not be uploaded again after a reload.
      void database.flush();
      return null;
    }
    const { failure } = result;
    const isWaiting = mayPass(failure) && !ports.environment.hasNetwork();
    if (isWaiting || failure.kind === "loggedOut") {
      showSending(entry, "waiting");
      return failure;
    }
    replace({ ...entry, failed: true, failure }, "failed");
    return null;
  }

  /** A request may fail a moment before the browser notices that the network is gone. */
  function networkLoss(): Promise<void> {
    return new Promise((resolve) => ports.clock.after(NETWORK_LOSS_MS, resolve));
  }

  return {
    upload(entry) {
      const { tmpId } = entry;
      const current = running.get(tmpId);
      if (current !== undefined) return current;
      const started = uploadNow(entry).finally(() => running.delete(tmpId));
      running.set(tmpId, started);
      return started;
    },
    uploadAgain({ tmpId, upload }) {
      const again = uploads.pendingOf(tmpId);
      return upload !== null || again === undefined ? {} : { content: "", upload: again };
    },
  };
}
