import type { ChatDeps } from "../chats/chat-store.ts";
import type { FileUploads } from "../chats/uploads.ts";
import type { BroadcastCounts, BroadcastDraft, BroadcastRun } from "../model/broadcast/broadcast.ts";
import { canSendDraft, partsOf } from "../model/broadcast/broadcast-draft.ts";
import {
  type BroadcastInput,
  countRecipients,
  isRunning,
  newRun,
  reduceRun,
  stepOfTmpId,
} from "../model/broadcast/broadcast-run.ts";
import { broadcastRun } from "../model/broadcast/broadcast-schemas.ts";
import { EMPTY_BROADCAST } from "../model/signed-out-state.ts";
import type { Lifetime } from "../ports.ts";
import type { SessionEvents } from "../session-events.ts";
import { broadcastToTabs, listenToOwnTabs } from "../storage/tab-messages.ts";
import { type AttachmentActions, createBroadcastAttachments } from "./broadcast-attachments.ts";
import { createBroadcastSender } from "./broadcast-sender.ts";

/** The broadcast tool: `State.broadcast` shows its draft and its progress (spec §5). */
export interface BroadcastActions extends AttachmentActions {
  /** Selects these friends and no others, in this order. */
  select(userIds: readonly number[]): void;
  setText(text: string): void;
  /**
   * Sends the draft and empties it: the text to each friend first, then each attachment. Does nothing if the draft cannot be sent
   * (`canSendDraft`) or a broadcast is being sent. It goes on in the background, also after a reload.
   */
  send(): void;
  /** Stops sending. What is not sent yet stays unsent. */
  cancel(): void;
  /** Sends the missing parts to the recipients for whom sending failed. */
  retryFailed(): void;
  /** Puts an ended broadcast away. */
  dismiss(): void;
}

/** The broadcast tool of one session: its draft in this tab, and its run, which all tabs of this browser share. */
export interface BroadcastService extends Pick<SessionEvents, "restore" | "start" | "confirm" | "reset"> {
  readonly actions: BroadcastActions;
}

/** What the broadcast tool needs, and where it reports to. */
export interface BroadcastServiceDeps extends ChatDeps {
  readonly session: Lifetime;
  readonly uploads: FileUploads;
  /** Whether an ordinary message is on its way. */
  isOutboxSending(): boolean;
  /** A broadcast has ended by itself. */
  onEnded(counts: BroadcastCounts): void;
}

/** Creates the broadcast tool of one session and listens to the other tabs. */
export function createBroadcastService(deps: BroadcastServiceDeps): BroadcastService {
  const { ports, stateStore, database, me } = deps;
  const run = () => stateStore.get().broadcast.run;
  const draft = () => stateStore.get().broadcast.draft;

  function setDraft(changed: BroadcastDraft): void {
    stateStore.set({ broadcast: { ...stateStore.get().broadcast, draft: changed } });
  }

  function setRun(changed: BroadcastRun | null): void {
    stateStore.set({ broadcast: { ...stateStore.get().broadcast, run: changed } });
    database.save({ values: { broadcast: changed } });
  }

  /** Applies an input here. Returns whether it has changed anything. */
  function apply(input: BroadcastInput): boolean {
    const changed = reduceRun(run(), input);
    if (changed === run()) return false;
    setRun(changed);
    return true;
  }

  /** Applies an input in all tabs, and sends what waits then: this tab is the first to do so. */
  function dispatch(input: BroadcastInput): void {
    if (!apply(input)) return;
    sender.wake();
    broadcastToTabs(ports.tabs, { kind: "broadcast", userId: me, input });
  }

  const sender = createBroadcastSender({
    ...deps,
    run,
    dispatch,
    onEnded: (ended) => deps.onEnded(countRecipients(ended)),
  });
  const attachments = createBroadcastAttachments({ ...deps, draft, setDraft });

  listenToOwnTabs(ports.tabs, me, "broadcast", ({ input }) => {
    // This tab goes on with it if the tab is closed that has begun.
    if (apply(input)) sender.wake();
  });

  function friends(userIds: readonly number[]): readonly number[] {
    const known = stateStore.get().contacts.friends;
    return userIds.filter((id) => known[id]?.isDeleted === false);
  }

  const actions: BroadcastActions = {
    ...attachments.actions,
    select: (userIds) => setDraft({ ...draft(), userIds }),
    setText: (text) => setDraft({ ...draft(), text }),
    send() {
      const userIds = friends(draft().userIds);
      const current = run();
      if (!canSendDraft(draft(), userIds) || (current !== null && isRunning(current))) return;
      stateStore.batch(() => {
        dispatch({ kind: "start", run: newRun(ports.random.id(), partsOf(draft()), userIds) });
        attachments.clear();
        setDraft(EMPTY_BROADCAST.draft);
      });
      // From the first moment on it must survive the closing of its tab.
      void database.flush();
    },
    cancel() {
      dispatch({ kind: "cancel", runId: run()?.id ?? "" });
    },
    retryFailed() {
      dispatch({ kind: "retry", runId: run()?.id ?? "" });
    },
    dismiss() {
      dispatch({ kind: "dismiss", runId: run()?.id ?? "" });
    },
  };

  return {
    actions,
    // A reload may have interrupted a broadcast.
    async restore() {
      const stored = broadcastRun.safeParse(await database.value("broadcast")).data;
      // A broadcast that another tab has started since is newer.
      if (stored !== undefined && run() === null)
        stateStore.set({ broadcast: { ...stateStore.get().broadcast, run: stored } });
    },
    start: sender.wake,
    confirm(tmpIds) {
      for (const tmpId of tmpIds) {
        const current = run();
        const step = current === null ? null : stepOfTmpId(current, tmpId);
        if (current !== null && step !== null) dispatch({ kind: "sent", runId: current.id, ...step });
      }
    },
    reset(isOtherServer) {
      if (!isOtherServer) return database.save({ values: { broadcast: run() } });
      attachments.clear();
      setDraft(EMPTY_BROADCAST.draft);
      setRun(null);
    },
  };
}
