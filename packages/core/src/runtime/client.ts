import { ChatType } from "@parley/protocol/codes";
import { shouldSound } from "../model/alerts.ts";
import { readFrame } from "../model/incoming.ts";
import { parseChatKey } from "../model/rows.ts";
import { restoreChat } from "../model/stored.ts";
import type { ChatKey, SessionEnd } from "../model/state.ts";
import { createAccounts, deviceNumber } from "./accounts.ts";
import { createApi } from "./api.ts";
import type { Client, Notice } from "./client-api.ts";
import { createDesk } from "./desk.ts";
import { createHistory } from "./history.ts";
import { createInbox } from "./inbox.ts";
import { isRecord } from "./keep.ts";
import { type ChatFrame, createSocketLine } from "./link.ts";
import { createOutbox } from "./outbox.ts";
import { createPeople } from "./people.ts";
import { createDisk } from "./persist.ts";
import type { Ports } from "./ports.ts";
import { createReads } from "./reads.ts";
import { createServer } from "./server.ts";
import { createSession } from "./session.ts";
import { createAlertSound } from "./sound.ts";
import { createStateStore, INITIAL_STATE } from "./store.ts";
import { createTokenKeeper } from "./tokens.ts";

/** Makes a client. Nothing happens before `session.resume()` or `session.login()`. */
export function createClient(ports: Ports): Client {
  const store = createStateStore();
  const noticeListeners = new Set<(notice: Notice) => void>();
  const notify = (notice: Notice) => noticeListeners.forEach((listener) => listener(notice));
  const deviceNo = deviceNumber(ports);
  const clientId = ports.random.id();
  const server = createServer(ports);
  const playSound = createAlertSound(ports);
  /** Rises with each person who comes or goes; work for the one before stops at its next step. */
  let visit = 0;

  const me = () => {
    const { session } = store.get();
    return session.kind === "anonymous" ? -1 : session.userId;
  };

  const disk = createDisk(ports, () => {
    if (store.get().storage === "memory") return;
    store.set({ storage: "memory" });
    notify({ kind: "storageRefused" });
  });
  const desk = createDesk(store, disk);
  const api = createApi(ports, {
    base: server.base,
    deviceNo,
    clientId,
    credentials: {
      accessToken: () => tokens.current()?.accessToken ?? null,
      refresh: () => tokens.refresh(),
      sessionOver: (token) => session.sessionOver(token),
    },
    onFailure: (failure) => notify({ kind: "failure", failure }),
  });
  const tokens = createTokenKeeper(ports, disk, () => api);
  const accounts = createAccounts(ports, server.origin);
  const deps = { ports, api, store, disk, desk, me };
  const outbox = createOutbox(deps);
  const history = createHistory(deps);
  const reads = createReads(deps);
  const people = createPeople(deps);
  const inbox = createInbox({
    ...deps,
    onLive({ key, message }, sendRole) {
      const type = parseChatKey(key)?.type ?? ChatType.PRIVATE;
      const chat = store.get().chats.byKey[key] ?? {
        type,
        msgRemind: type === ChatType.GROUP ? 0 : 1,
        readId: -1,
      };
      if (shouldSound(message, chat, { isLoading: false, sendRole })) playSound();
    },
    onBehind: (key) => reads.report(key),
    onEpoch: startOver,
  });
  const session = createSession({ ports, api, store, tokens, accounts, server, enter, leave });
  const line = createSocketLine({
    ports,
    store,
    server,
    deviceNo,
    clientId,
    accessToken: () => tokens.current()?.accessToken ?? null,
    prepare: (renew) => session.prepare(renew),
    onOnline(epoch) {
      inbox.start(epoch);
      people.start();
      outbox.retry();
      reads.retry();
    },
    onOffline() {
      inbox.stop();
      people.stop();
    },
    onFrame,
    onLost: () => notify({ kind: "connectionLost" }),
    onEnd: (reason, text) => session.endByServer(reason, text),
  });

  desk.onRows = (rows) => {
    const own = rows.flatMap(({ message }) =>
      message.selfSend && message.tmpId !== null ? [message.tmpId] : [],
    );
    if (own.length > 0) outbox.confirm(own);
    if (store.get().contacts.isLoaded) meetStrangers(new Set(rows.map(({ key }) => key)));
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
        return line.endByServer(incoming.reason, incoming.text);
      case "ignored":
        return ports.log.debug("a frame that means nothing here", { type: incoming.type });
      default:
        incoming satisfies never;
    }
  }

  /** What is on disk first, then the network: a warm start paints before the server answers. */
  async function enter(userId: number): Promise<void> {
    const mine = ++visit;
    store.set({ session: { kind: "restoring", userId } });
    await disk.open(`parley:${server.origin()}:${userId}`);
    const stored = await disk.chats();
    const lastOpen = await disk.value("lastOpen");
    await Promise.all([desk.restore(), inbox.restore(), people.restore(), reads.restore()]);
    if (mine !== visit) return;
    const chats = stored.flatMap((value) => restoreChat(value) ?? []);
    const open = typeof lastOpen === "string" ? parseChatKey(lastOpen)?.key : undefined;
    const known = chats.find((chat) => chat.key === open);
    desk.apply([
      { kind: "restore", chats },
      ...(known === undefined ? [] : [{ kind: "open", key: known.key, now: ports.clock.now() } as const]),
    ]);
    await Promise.all([outbox.restore(), known === undefined ? null : history.fill(known.key)]);
    if (mine !== visit) return;
    store.set({ session: { kind: "active", userId } });
    line.start();
  }

  function leave(ended: SessionEnd | null): void {
    visit++;
    store.batch(() => {
      line.stop();
      inbox.forget();
      desk.forget();
      outbox.forget();
      reads.forget();
      people.stop();
      void disk.close();
      const { display } = store.get();
      store.set({ ...INITIAL_STATE, display, session: { kind: "anonymous", ended } });
    });
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
    if (parsed !== null && typeof text === "string") desk.apply([{ kind: "draft", key: parsed.key, text }]);
  });

  return {
    getState: store.get,
    subscribe: store.subscribe,
    onNotice(listener) {
      noticeListeners.add(listener);
      return () => noticeListeners.delete(listener);
    },
    session: { ...session, retryConnection: () => line.hurry() },
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
      markSeen: (key, upTo) => reads.markSeen(key, upTo),
      setDraft(key, text) {
        desk.apply([{ kind: "draft", key, text }]);
        ports.tabs.tell({ kind: "draft", userId: me(), key, text });
      },
    },
    fileUrl: (path) => (/^https?:\/\//i.test(path) ? path : server.origin() + path),
    close() {
      line.close();
      tokens.close();
      stopTabs();
      void disk.close();
    },
  };
}
