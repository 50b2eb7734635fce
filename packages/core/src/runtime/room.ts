import { ChatType } from "@parley/protocol/codes";
import { endSession, listSessions, unregister } from "@parley/protocol/endpoints/account";
import type { LogoutReason } from "@parley/protocol/envelope";
import { newsOf, shouldSound } from "../model/alerts.ts";
import { isMuteTip } from "../model/groups.ts";
import { readFrame } from "../model/incoming.ts";
import { namedIn, nextMention, shiftMentions } from "../model/mentions.ts";
import { newChat } from "../model/new-chat.ts";
import { parseChatKey } from "../model/rows.ts";
import { restoreChat } from "../model/stored.ts";
import type { ChatKey, DraftMention, Result } from "../model/state.ts";
import { type Api, fail } from "./api.ts";
import type { ChatActions, ContactActions, GroupActions, Notice, SessionActions } from "./client-api.ts";
import { createDeeds } from "./deeds.ts";
import { createDesk } from "./desk.ts";
import { createDraftStash } from "./draft-stash.ts";
import { createGroupRoom } from "./groups.ts";
import { createHides } from "./hides.ts";
import { createHistory } from "./history.ts";
import { createInbox } from "./inbox.ts";
import { lateActs, type LateSource } from "./late.ts";
import { type ChatFrame, createSocketLine } from "./link.ts";
import { createOutbox, UNSENDABLE } from "./outbox.ts";
import { createPeople } from "./people.ts";
import type { Disk } from "./persist.ts";
import type { Ports } from "./ports.ts";
import { createReads } from "./reads.ts";
import type { Search } from "./search.ts";
import type { Server } from "./server.ts";
import { createAlertSound } from "./sound.ts";
import { INITIAL_STATE, type Store } from "./store.ts";
import { createTabTalk } from "./tab-talk.ts";
import { termsOf } from "./terms.ts";
import { createTidy, type TidyWork } from "./tidy.ts";

/** What somebody who is signed in needs beyond the session: chats, people and the socket. */
export interface Room {
  readonly chats: ChatActions;
  readonly contacts: ContactActions;
  readonly groups: GroupActions;
  readonly account: Pick<SessionActions, "sessions" | "endSession" | "unregister">;
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

/** Sizes that tests make small, to meet more ends with few messages. */
export interface RoomOptions {
  /** Messages of a page of history. */
  readonly pageSize?: number;
  /** Messages that a chat which is not open keeps in memory. */
  readonly closedWindow?: number;
}

export interface RoomDeps extends RoomOptions {
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
  notify(notice: Notice): void;
  /** The account is closed: nobody is signed in any more. */
  onUnregistered(userName: string | null): void;
  onEnd(reason: LogoutReason, text: string): void;
}

/** A socket that takes longer to log in is not waited for. */
const BESIDE_SOCKET_MS = 100;

export type CreateRoom = (deps: RoomDeps) => Room;

export function createRoom(room: RoomDeps & { readonly late: LateSource }): Room {
  const { ports, store, disk, api, server, me, late, ...line } = room;
  const alert = createAlertSound(ports, disk);
  const desk = createDesk(store, disk, line.closedWindow);
  const stash = createDraftStash(ports);
  const deps = { ports, api, store, disk, desk, me };
  const outbox = createOutbox(deps);
  const history = createHistory({ ...deps, ...(line.pageSize !== undefined && { pageSize: line.pageSize }) });
  const search = lateActs<Search>(late, me, { find: true, days: true }, ({ createSearch }) =>
    createSearch(deps),
  );
  const tidyWork = lateActs<TidyWork>(late, me, { tidy: true }, ({ createTidyWork }) =>
    createTidyWork({ ...deps, tell: (trim) => tabTalk.tell(trim) }),
  );
  const tidy = createTidy({ ...deps, work: tidyWork });
  const reads = createReads(deps);
  const groups = createGroupRoom({ ...deps, late });
  const people = createPeople({ ...deps, late, watched: groups.watched, onPresence: groups.takePresence });
  const tabTalk = createTabTalk({
    ...deps,
    onDraft: (key) => stash.drop(key),
    onCleared() {
      // What is being read may be from before.
      if (store.get().session.kind === "restoring") isClearedMeanwhile = true;
      else loadAnew(true);
    },
  });
  const inbox = createInbox({
    ...deps,
    onLive({ key, message }) {
      const chat = store.get().chats.byKey[key] ?? newChat(key, desk.context());
      if (shouldSound(message, chat, { isLoading: false })) alert(key, message.id ?? 0);
    },
    onShown(rows, before) {
      for (const news of newsOf(rows, before, store.get().chats)) line.notify(news);
    },
    onBehind: (key) => reads.report(key),
    onStartOver: startOver,
  });
  let cancelBeside: (() => void) | null = null;
  /** Another tab has cleared the disk while this one read it. */
  let isClearedMeanwhile = false;
  const hides = createHides(deps);
  const deeds = createDeeds({
    ...deps,
    outbox,
    hold: (type) => inbox.hold(type),
    lookAgain: (type) => inbox.lookAgain(type),
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
      cancelBeside?.();
      inbox.start(epoch);
      people.start();
      groups.start();
      catchUp();
    },
    onOffline() {
      inbox.stop();
      people.stop();
      groups.stop();
    },
    onFrame,
    onLost: () => line.notify({ kind: "connectionLost" }),
    onEnd: (reason, text) => line.onEnd(reason, text),
  });

  /** What could not go out may go out now. */
  function catchUp(): void {
    inbox.retry();
    outbox.retry();
    reads.retry();
    hides.retry();
    fillHollows();
  }

  /** Chats whose newest message was deleted: what stands before it gives preview and time. */
  function fillHollows(): void {
    for (const chat of Object.values(store.get().chats.byKey))
      if (chat.book.isHollow) void history.findNewest(chat.key);
  }

  // A socket may outlive a short loss of the network: then no login tells that it is back.
  const stopWatching = ports.environment.onChange(() => {
    if (ports.environment.hasNetwork()) catchUp();
  });

  desk.onHollow = (key) => void history.findNewest(key);
  desk.onRows = (rows) => {
    const own: string[] = [];
    const keys = new Set<ChatKey>();
    for (const { key, message } of rows) {
      keys.add(key);
      if (message.selfSend && message.tmpId !== null) own.push(message.tmpId);
      if (isMuteTip(message.tip)) touchGroup(key);
    }
    if (own.length > 0) outbox.confirm(own);
    if (store.get().contacts.isLoaded) meetStrangers(keys);
  };

  // Who writes while reading old messages wants to see what he writes.
  desk.onUnseenEcho = (key) => void history.toNewest(key);
  disk.termsOf = termsOf;
  disk.onDistrust = () => {
    loadAnew(false);
    const owner = me();
    // Behind the write that clears it: what other tabs write from then on stays.
    void disk.flush().then(() => owner === me() && tabTalk.tellCleared());
  };

  function loadAnew(isCleared: boolean): void {
    inbox.renew(isCleared);
    if (store.get().connection.kind === "online") void Promise.all([people.reload(), groups.reload()]);
  }

  function meetStrangers(keys: ReadonlySet<ChatKey>): void {
    const chats = [...keys].flatMap((key) => parseChatKey(key) ?? []);
    people.meet(chats.filter(({ type }) => type === ChatType.PRIVATE).map(({ targetId }) => targetId));
  }

  function touchGroup(key: ChatKey): void {
    const target = parseChatKey(key);
    if (target?.type === ChatType.GROUP) groups.touch(target.targetId);
  }

  function onFrame(frame: ChatFrame): void {
    const incoming = readFrame(frame, me());
    switch (incoming.kind) {
      case "chat":
      case "loading":
        return inbox.receive(incoming);
      case "changes":
        if (incoming.ofPeople) void people.reload();
        return inbox.receive(incoming);
      case "friend":
      case "friendGone":
      case "request":
        return people.receive(incoming);
      case "groupOut":
        // What I wrote there may be gone with me: only who stays is told. And what was written last may have been told behind my going.
        void inbox.lookAgain(ChatType.GROUP);
        return groups.receive(incoming);
      case "group":
      case "groupRequest":
        return groups.receive(incoming);
      case "ended":
        return socket.endByServer(incoming.reason, incoming.text);
      case "ignored":
        return ports.log.debug("a frame that means nothing here", { type: incoming.type });
      default:
        incoming satisfies never;
    }
  }

  /** Nothing that was kept of messages holds: only what is one's own stays (protocol §7). */
  function startOver(isOtherServer: boolean, isCleared: boolean): void {
    const { chats } = store.get();
    const kept = Object.values(chats.byKey).filter(
      ({ draft, draftEdit }) => draft !== "" || (draftEdit !== null && !isOtherServer),
    );
    store.set({ chats: { ...INITIAL_STATE.chats, openKey: null } });
    if (isCleared) disk.forgetMessages();
    else disk.keep({ clearMessages: true });
    desk.apply(
      [
        ...kept.flatMap(
          ({ key, draft: text, draftMentions: mentions, draftQuote: quote, draftEdit: edit }) => [
            { kind: "open", key, now: ports.clock.now() } as const,
            // What names a message of the other database names nothing here.
            { kind: "draft", key, text, mentions, ...(!isOtherServer && { quote, edit }) } as const,
          ],
        ),
        chats.openKey === null
          ? ({ kind: "close" } as const)
          : ({ kind: "open", key: chats.openKey, now: ports.clock.now() } as const),
      ],
      { lastOpen: chats.openKey },
    );
    outbox.startOver(isOtherServer);
    groups.startOver();
    if (!isOtherServer) return;
    // Ids of the other database name other messages here.
    hides.forget();
    reads.forget();
    deeds.forget();
  }

  function setTop(key: ChatKey, isTop: boolean): Promise<Result<null>> {
    const target = parseChatKey(key);
    if (target?.type === ChatType.PRIVATE) return people.setSettings(target.targetId, { isTop });
    if (target?.type === ChatType.GROUP) return groups.setSettings(target.targetId, { isTop });
    const chat = store.get().chats.byKey[key];
    // The system chat is pinned on this device alone.
    if (target?.type !== ChatType.SYSTEM || chat === undefined) return Promise.resolve(fail(UNSENDABLE));
    desk.apply([{ kind: "settings", key, isTop, msgRemind: chat.msgRemind }]);
    return Promise.resolve({ ok: true, value: null });
  }

  function setRemind(key: ChatKey, msgRemind: number): Promise<Result<null>> {
    const target = parseChatKey(key);
    if (target?.type === ChatType.GROUP) {
      const remind = msgRemind === 1 || msgRemind === 2 ? msgRemind : 0;
      return groups.setSettings(target.targetId, { msgRemind: remind, isDnd: remind === 2 });
    }
    if (target?.type !== ChatType.PRIVATE) return Promise.resolve(fail(UNSENDABLE));
    const isDnd = msgRemind === 0;
    return people.setSettings(target.targetId, { msgRemind: isDnd ? 0 : 1, isDnd });
  }

  /** The draft's mentions that are still whole in this text. */
  function standing(key: ChatKey, text: string): readonly DraftMention[] {
    const chat = store.get().chats.byKey[key];
    return chat === undefined ? [] : shiftMentions(chat.draft, chat.draftMentions, text);
  }

  function show(key: ChatKey): void {
    desk.apply([{ kind: "open", key, now: ports.clock.now() }], { lastOpen: key });
    const target = parseChatKey(key);
    if (target?.type === ChatType.GROUP) groups.show(target.targetId);
  }

  return {
    contacts: people,
    groups,
    chats: {
      open(key) {
        show(key);
        void history.fill(key);
      },
      closeOpen: () => desk.apply([{ kind: "close" }], { lastOpen: null }),
      sendText(key, text, { mentions, receipt = false } = {}) {
        if (text.trim() === "") return;
        const quote = store.get().chats.byKey[key]?.draftQuote ?? null;
        const isGroup = parseChatKey(key)?.type === ChatType.GROUP;
        const atUserIds = isGroup ? namedIn(mentions ?? standing(key, text)) : [];
        history.stay(key);
        store.batch(() => {
          if (quote !== null) tabTalk.apply({ kind: "draft", key, quote: null });
          outbox.sendText(key, text, { quote, atUserIds, receipt: isGroup && receipt });
        });
      },
      sendContent(key, type, content) {
        history.stay(key);
        outbox.send(key, type, content);
      },
      resend: (key, tmpId) => outbox.resend(key, tmpId),
      discard: (key, tmpId) => outbox.discard(key, tmpId),
      loadOlder: (key) => void history.loadOlder(key),
      loadNewer: (key) => void history.loadNewer(key),
      toNewest: (key) => void history.toNewest(key),
      jumpTo(key, to) {
        show(key);
        return history.jumpTo(key, to);
      },
      search: (query) => search.find(query),
      daysWithMessages: (key, starts) => search.days(key, starts),
      markSeen: (key, upTo) => reads.markSeen(key, upTo),
      setDraft(key, text, mentions = standing(key, text)) {
        const edit = store.get().chats.byKey[key]?.draftEdit ?? null;
        stash.put(me(), { key, text, mentions, edit });
        tabTalk.apply({ kind: "draft", key, text, mentions });
      },
      setDraftEdit(key, edit) {
        const chat = store.get().chats.byKey[key];
        if (chat === undefined || (edit === null && chat.draftEdit === null)) return;
        stash.put(me(), { key, text: chat.draft, mentions: chat.draftMentions, edit });
        tabTalk.apply({ kind: "draft", key, edit });
      },
      nextMention: (key) => nextMention(store.get().chats.byKey[key]),
      setQuote(key, id) {
        const message = store.get().chats.byKey[key]?.window.messages.find((known) => known.id === id);
        if (id === null) tabTalk.apply({ kind: "draft", key, quote: null });
        else if (message !== undefined) {
          const { sendId, sendNickName, type, content } = message;
          tabTalk.apply({ kind: "draft", key, quote: { id, sendId, sendNickName, type, content } });
        }
      },
      setTop,
      setRemind,
      markUnread: (key) => tabTalk.apply({ kind: "mark", key, isOn: true }),
      markRead(key) {
        tabTalk.apply({ kind: "mark", key, isOn: false });
        reads.markAllSeen(key);
      },
      remove(key) {
        store.batch(() => {
          stash.drop(key);
          reads.markAllSeen(key);
          tabTalk.apply({ kind: "remove", key });
        });
      },
      editText: deeds.editText,
      recall: deeds.recall,
      reeditText: deeds.reeditText,
      requote(key, id) {
        const quote = deeds.quoteOf(key, id);
        const answered = store.get().chats.byKey[key]?.draftQuote ?? null;
        if (quote !== null && answered === null) tabTalk.apply({ kind: "draft", key, quote });
      },
      hide: (key, ids) => hides.hide(key, ids),
      forward: deeds.forward,
      async clearHistory() {
        const result = await deeds.clearHistory();
        // By spec §7; what cannot be had comes with the next login.
        if (result.ok) void Promise.all([people.reload(), groups.reload()]);
        return result;
      },
      loadNotice: deeds.loadNotice,
    },
    account: {
      sessions: () => api.call(listSessions, {}),
      endSession: (id) => api.call(endSession, { query: id === null ? {} : { id } }),
      async unregister() {
        const userName = store.get().me?.userName ?? null;
        const result = await api.call(unregister, {});
        if (result.ok) line.onUnregistered(userName);
        return result;
      },
    },
    async restore(isOver) {
      // Asked for before the chats: what another tab writes in between the bookmarks do not count, so that it only comes once more.
      const bookmarks = [desk.restore(isOver), inbox.restore(isOver)];
      const [stored, lastOpen] = await Promise.all([
        disk.chats(),
        disk.value("lastOpen"),
        ...bookmarks,
        people.restore(isOver),
        groups.restore(isOver),
        reads.restore(),
        hides.restore(),
        outbox.restore(),
      ]);
      if (isOver()) return;
      if (stored.length === 0) tidy.noteEmpty();
      const chats = stored.flatMap((value) => restoreChat(value) ?? []);
      const isBroken = chats.length < stored.length;
      const open = typeof lastOpen === "string" ? parseChatKey(lastOpen)?.key : undefined;
      const known = chats.find((chat) => chat.key === open);
      const typed = stash.find(me());
      store.batch(() => {
        desk.apply([
          { kind: "restore", chats },
          ...(typed === null ? [] : [{ kind: "draft", ...typed } as const]),
          ...(known === undefined ? [] : [{ kind: "open", key: known.key, now: ports.clock.now() } as const]),
        ]);
        outbox.show();
      });
      if (isBroken) disk.distrust("a chat");
      else if (isClearedMeanwhile) loadAnew(true);
      isClearedMeanwhile = false;
      if (known !== undefined) await history.fill(known.key);
    },
    start() {
      socket.start();
      tidy.start();
      // The login of the socket asks again: what is pushed from then on is known.
      cancelBeside = ports.clock.after(BESIDE_SOCKET_MS, () => {
        people.load();
        void groups.reload();
      });
    },
    leave() {
      isClearedMeanwhile = false;
      cancelBeside?.();
      tidy.stop();
      socket.stop();
      inbox.forget();
      desk.forget();
      outbox.forget();
      reads.forget();
      hides.forget();
      deeds.forget();
      people.stop();
      groups.forget();
    },
    hurry: () => socket.hurry(),
    close() {
      cancelBeside?.();
      tidy.stop();
      socket.close();
      stopWatching();
      tabTalk.close();
      groups.close();
    },
  };
}
