import { ChatType } from "@parley/protocol/codes";
import type { LogoutReason } from "@parley/protocol/envelope";
import { shouldSound } from "../model/alerts.ts";
import { readFrame } from "../model/incoming.ts";
import { newChat } from "../model/chats.ts";
import { parseChatKey } from "../model/rows.ts";
import { restoreChat } from "../model/stored.ts";
import type { ChatKey } from "../model/state.ts";
import type { Api } from "./api.ts";
import type { ChatActions, ContactActions } from "./client-api.ts";
import { createDesk } from "./desk.ts";
import { createDraftStash } from "./draft-stash.ts";
import { createHistory } from "./history.ts";
import { createInbox } from "./inbox.ts";
import { isRecord } from "./keep.ts";
import { type ChatFrame, createSocketLine } from "./link.ts";
import { createOutbox } from "./outbox.ts";
import { createPeople } from "./people.ts";
import type { Disk } from "./persist.ts";
import type { Ports } from "./ports.ts";
import { createReads } from "./reads.ts";
import { createSearch } from "./search.ts";
import type { Server } from "./server.ts";
import { createAlertSound } from "./sound.ts";
import { INITIAL_STATE, type Store } from "./store.ts";

/** What somebody who is signed in needs beyond the session: chats, people and the socket. */
export interface Room {
  readonly chats: ChatActions;
  readonly contacts: ContactActions;
  /** Shows what the open disk holds. Stops at its next step once `isOver`. */
  restore(isOver: () => boolean): Promise<void>;
  /** Connects. */
  start(): void;
  /** Forgets everything of the person in memory. */
  leave(): void;
  /** Connects at once instead of waiting. */
  hurry(): void;
  close(): void;
}

export interface RoomDeps {
  readonly ports: Ports;
  readonly store: Store;
  readonly disk: Disk;
  readonly api: Api;
  readonly server: Server;
  readonly deviceNo: string;
  readonly clientId: string;
  /** -1 for nobody. */
  me(): number;
  accessToken(): string | null;
  prepare(renew: boolean): Promise<"ok" | "ended" | "failed">;
  onLost(): void;
  onEnd(reason: LogoutReason, text: string): void;
}

export type CreateRoom = (deps: RoomDeps) => Room;

export const createRoom: CreateRoom = ({ ports, store, disk, api, server, me, ...line }) => {
  const playSound = createAlertSound(ports);
  const desk = createDesk(store, disk);
  const stash = createDraftStash(ports);
  const deps = { ports, api, store, disk, desk, me };
  const outbox = createOutbox(deps);
  const history = createHistory(deps);
  const search = createSearch(deps);
  const reads = createReads(deps);
  const people = createPeople(deps);
  const inbox = createInbox({
    ...deps,
    onLive({ key, message }, sendRole) {
      const { chats, contacts } = store.get();
      const chat = chats.byKey[key] ?? newChat(key, { floors: desk.floors, friends: contacts.friends });
      if (shouldSound(message, chat, { isLoading: false, sendRole })) playSound();
    },
    onBehind: (key) => reads.report(key),
    onEpoch: startOver,
  });
  const socket = createSocketLine({
    ports,
    store,
    server,
    deviceNo: line.deviceNo,
    clientId: line.clientId,
    accessToken: () => line.accessToken(),
    prepare: (renew) => line.prepare(renew),
    onOnline(epoch) {
      inbox.start(epoch);
      people.start();
      catchUp();
    },
    onOffline() {
      inbox.stop();
      people.stop();
    },
    onFrame,
    onLost: () => line.onLost(),
    onEnd: (reason, text) => line.onEnd(reason, text),
  });

  /** What could not go out may go out now. */
  function catchUp(): void {
    outbox.retry();
    reads.retry();
  }

  // A socket may outlive a short loss of the network: then no login tells that it is back.
  const stopWatching = ports.environment.onChange(() => {
    if (ports.environment.hasNetwork()) catchUp();
  });

  desk.onRows = (rows) => {
    const own: string[] = [];
    const keys = new Set<ChatKey>();
    for (const { key, message } of rows) {
      keys.add(key);
      if (message.selfSend && message.tmpId !== null) own.push(message.tmpId);
    }
    if (own.length > 0) outbox.confirm(own);
    if (store.get().contacts.isLoaded) meetStrangers(keys);
  };

  function meetStrangers(keys: ReadonlySet<ChatKey>): void {
    const chats = [...keys].flatMap((key) => parseChatKey(key) ?? []);
    people.meet(chats.filter(({ type }) => type === ChatType.PRIVATE).map(({ targetId }) => targetId));
  }

  function onFrame(frame: ChatFrame): void {
    const incoming = readFrame(frame, me());
    switch (incoming.kind) {
      case "chat":
      case "loading":
      case "changes":
        return inbox.receive(incoming, "sendRole" in frame.data ? frame.data.sendRole : 0);
      case "friend":
      case "friendGone":
      case "request":
        return people.receive(incoming);
      case "ended":
        return socket.endByServer(incoming.reason, incoming.text);
      case "ignored":
        return ports.log.debug("a frame that means nothing here", { type: incoming.type });
      default:
        incoming satisfies never;
    }
  }

  /** The server has another database than the one these messages came from: only what is one's own stays (protocol §7). */
  function startOver(): void {
    const { chats } = store.get();
    const kept = Object.values(chats.byKey).filter((chat) => chat.draft !== "");
    store.set({ chats: { ...INITIAL_STATE.chats, openKey: null } });
    disk.keep({ clearMessages: true });
    desk.apply([
      ...kept.flatMap((chat) => [
        { kind: "open", key: chat.key, now: ports.clock.now() } as const,
        { kind: "draft", key: chat.key, text: chat.draft } as const,
      ]),
      chats.openKey === null
        ? ({ kind: "close" } as const)
        : ({ kind: "open", key: chats.openKey, now: ports.clock.now() } as const),
    ]);
    outbox.showAgain();
  }

  const stopTabs = ports.tabs.listen((message) => {
    if (!isRecord(message) || message["kind"] !== "draft" || message["userId"] !== me()) return;
    const { key, text } = message;
    const parsed = typeof key === "string" ? parseChatKey(key) : null;
    if (parsed === null || typeof text !== "string") return;
    stash.drop(parsed.key);
    desk.apply([{ kind: "draft", key: parsed.key, text }]);
  });

  return {
    contacts: people,
    chats: {
      open(key) {
        desk.apply([{ kind: "open", key, now: ports.clock.now() }], { lastOpen: key });
        void history.fill(key);
      },
      closeOpen: () => desk.apply([{ kind: "close" }], { lastOpen: null }),
      sendText: (key, text) => outbox.send(key, text),
      resend: (key, tmpId) => outbox.resend(key, tmpId),
      discard: (key, tmpId) => outbox.discard(key, tmpId),
      loadOlder: (key) => void history.loadOlder(key),
      loadNewer: (key) => void history.loadNewer(key),
      toNewest: (key) => void history.toNewest(key),
      jumpTo: (key, to) => history.jumpTo(key, to),
      search: (query) => search(query),
      markSeen: (key, upTo) => reads.markSeen(key, upTo),
      setDraft(key, text) {
        stash.put(me(), key, text);
        desk.apply([{ kind: "draft", key, text }]);
        ports.tabs.tell({ kind: "draft", userId: me(), key, text });
      },
    },
    async restore(isOver) {
      const stored = await disk.chats();
      const lastOpen = await disk.value("lastOpen");
      await Promise.all([desk.restore(), inbox.restore(), people.restore(), reads.restore()]);
      if (isOver()) return;
      const chats = stored.flatMap((value) => restoreChat(value) ?? []);
      const open = typeof lastOpen === "string" ? parseChatKey(lastOpen)?.key : undefined;
      const known = chats.find((chat) => chat.key === open);
      const typed = stash.find(me());
      desk.apply([
        { kind: "restore", chats },
        ...(typed === null ? [] : [{ kind: "draft", ...typed } as const]),
        ...(known === undefined ? [] : [{ kind: "open", key: known.key, now: ports.clock.now() } as const]),
      ]);
      await Promise.all([outbox.restore(), known === undefined ? null : history.fill(known.key)]);
    },
    start: () => socket.start(),
    leave() {
      socket.stop();
      inbox.forget();
      desk.forget();
      outbox.forget();
      reads.forget();
      people.stop();
    },
    hurry: () => socket.hurry(),
    close() {
      socket.close();
      stopWatching();
      stopTabs();
    },
  };
};
