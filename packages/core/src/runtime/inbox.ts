import { CHAT_TYPES, ChatType } from "@parley/protocol/codes";
import { loadChanges, type UserChanges } from "@parley/protocol/endpoints/changes";
import type { ChatInput } from "../model/chat-input.ts";
import type { Incoming } from "../model/incoming.ts";
import { readSystem } from "../model/incoming.ts";
import { chatKey } from "../model/rows.ts";
import type { Chats } from "../model/state.ts";
import type { Api } from "./api.ts";
import { type Desk, NO_FLOORS, readNumbers } from "./desk.ts";
import { isRecord } from "./keep.ts";
import type { Disk } from "./persist.ts";
import type { Ports } from "./ports.ts";
import { createPulls } from "./pulls.ts";
import type { Store } from "./store.ts";

/**
 * Takes what the socket brings, in order. While a pull runs everything of the chats waits in a buffer (spec §4). A cursor is the highest
 * id below which this client has everything; it moves only when the pull of its kind has ended on this very connection, and goes to disk
 * in one write with the rows it stands for.
 */
export interface Inbox {
  /** Reads cursors and the token of changes from disk. */
  restore(isOver: () => boolean): Promise<void>;
  /** The socket's login was accepted. */
  start(epoch: string): void;
  /** The socket is gone: what came is used, cursors stay where they are safe. */
  stop(): void;
  receive(incoming: ChatIncoming): void;
  /**
   * An action of this client is under way: what comes of it is told to everybody but this client. Until its answer is here, the cursor of
   * that kind of rows stays, so that a pull brings it. Answers a function that ends this.
   */
  hold(type: ChatType): () => void;
  /**
   * Asks anew what happened, to rows of this kind too: after an action of whose answer nothing is known. The cursor of that kind stays until
   * then. Ends when `/user/changes` has answered, or the connection is gone.
   */
  lookAgain(type: ChatType | null): Promise<void>;
  /** The network may be back: asks what could not be asked without one. */
  retry(): void;
  /** What was kept is not to be believed: everything is pulled anew. `isCleared`: another tab has seen to the disk. */
  renew(isCleared: boolean): void;
  /** Nobody is logged in any more. */
  forget(): void;
}

export type ChatIncoming = Extract<Incoming, { kind: "chat" | "loading" | "changes" }>;

export type LiveRow = Extract<ChatInput, { kind: "row" }>;

const RETRY_MS = 5_000;

export interface InboxDeps {
  ports: Ports;
  api: Api;
  store: Store;
  disk: Disk;
  desk: Desk;
  /** A live row that may sound. */
  onLive(input: LiveRow): void;
  /** Rows that were pushed live are in; `before`: the chats as they were without them. */
  onShown(rows: readonly LiveRow[], before: Chats): void;
  /** Server's own view of my read position, for chats where mine is further. */
  onBehind(key: ReturnType<typeof chatKey>): void;
  /**
   * All messages are to be loaded anew; `isOtherServer`: another database stands behind it, the messages of the old one are gone; `isCleared`:
   * the disk was cleared already.
   */
  onStartOver(isOtherServer: boolean, isCleared: boolean): void;
}

export function createInbox(deps: InboxDeps): Inbox {
  const { ports, api, store, disk, desk } = deps;
  let cursors: Record<ChatType, number> = { ...NO_FLOORS };
  let changesToken: string | null = null;
  /** Token of changes that are used, or wait in the buffer; it counts once the rows they speak of are here too. */
  let nextToken: string | null = null;
  let epoch: string | null = null;
  let buffer: ChatInput[] = [];
  let live: { input: ChatInput; isPushed: boolean }[] = [];
  let isDraining = false;
  /** Between `start` and `stop`. */
  let isConnected = false;
  /** Rises with every connection; answers of an older one are dropped. */
  let generation = 0;
  let holds: Record<ChatType, number> = { ...NO_FLOORS };
  /** Rises when somebody else comes: holds of the one before end. */
  let owner = 0;
  let changes: "idle" | "asking" | "askAgain" = "idle";
  /** How often `/user/changes` was asked. */
  let asks = 0;
  /** Those who wait for an answer that was asked for later than this one: an older one may not know what they have done. */
  let waiting: { after: number; done: () => void }[] = [];

  const pulls = createPulls({
    ports,
    api,
    store,
    desk,
    cursor: (type) => cursors[type],
    onQuiet: drainBuffer,
  });

  function start(newEpoch: string): void {
    store.batch(() => {
      isConnected = true;
      noteEpoch(newEpoch);
      generation++;
      pulls.start();
      changes = "idle";
      askChanges();
    });
  }

  function noteEpoch(newEpoch: string): void {
    if (epoch === newEpoch) return;
    if (epoch !== null) startOver(true, false);
    epoch = newEpoch;
    disk.keep({ values: { epoch } });
  }

  function startOver(isOtherServer: boolean, isCleared: boolean): void {
    cursors = { ...NO_FLOORS };
    desk.forget();
    changesToken = null;
    nextToken = null;
    deps.onStartOver(isOtherServer, isCleared);
  }

  function drainBuffer(): void {
    // Positions last: one that came before the rows of a new chat is meant for them too.
    const inputs: ChatInput[] = [];
    const positions: ChatInput[] = [];
    for (const input of buffer) (isPosition(input) ? positions : inputs).push(input);
    buffer = [];
    desk.apply(positions.length === 0 ? inputs : inputs.concat(positions), values());
  }

  /** The bookmarks that hold after what is being applied now. */
  function values(): Record<string, unknown> {
    for (const type of CHAT_TYPES) {
      if (pulls.isDone(type) && holds[type] === 0)
        cursors = { ...cursors, [type]: Math.max(cursors[type], pulls.seen(type)) };
    }
    if (nextToken !== null && CHAT_TYPES.every(pulls.isDone)) {
      changesToken = nextToken;
      nextToken = null;
    }
    return { cursors, floors: desk.floors, changesToken };
  }

  function receive(incoming: ChatIncoming): void {
    switch (incoming.kind) {
      case "changes":
        return askChanges();
      case "loading":
        return receiveLoading(incoming);
      case "chat":
        break;
      default:
        return incoming satisfies never;
    }
    pulls.noteReceived(incoming.type, incoming.position);
    enqueue(incoming.input, true);
  }

  function receiveLoading(incoming: Extract<Incoming, { kind: "loading" }>): void {
    const { type, isOn, fromId, hasFailed } = incoming;
    if (isOn) pulls.noteBegin(type);
    if (fromId !== null) {
      desk.floors = { ...desk.floors, [type]: Math.max(desk.floors[type], fromId) };
      enqueue({ kind: "gap", type, fromId, upTo: cursors[type] });
    }
    if (!isOn) pulls.noteEnd(type, hasFailed);
  }

  function enqueue(input: ChatInput, isPushed = false): void {
    if (pulls.isLoading()) {
      buffer.push(input);
      return;
    }
    live.push({ input, isPushed });
    if (isDraining) return;
    isDraining = true;
    ports.clock.soon(drainLive);
  }

  /** Everything that came in one turn is one batch. */
  function drainLive(): void {
    isDraining = false;
    const batch = live;
    live = [];
    if (batch.length === 0) return;
    if (pulls.isLoading()) {
      buffer.push(...batch.map(({ input }) => input));
      return;
    }
    const before = store.get().chats;
    store.batch(() => {
      for (const { input } of batch) if (input.kind === "row") deps.onLive(input);
      desk.apply(
        batch.map(({ input }) => input),
        values(),
      );
    });
    deps.onShown(
      batch.flatMap(({ input, isPushed }) => (isPushed && input.kind === "row" ? input : [])),
      before,
    );
  }

  function askChanges(): void {
    if (changes !== "idle") {
      changes = "askAgain";
      return;
    }
    changes = "asking";
    const asked = generation;
    const number = ++asks;
    const query = changesToken === null ? {} : { since: changesToken };
    void api.call(loadChanges, { query }, { quiet: true }).then((result) => {
      if (asked !== generation) return;
      const isWanted = changes === "askAgain";
      changes = "idle";
      if (result.ok) {
        takeChanges(result.value);
        wake(number);
      } else ports.clock.after(RETRY_MS, () => asked === generation && askChanges());
      if (isWanted) askChanges();
    });
  }

  function wake(number: number): void {
    const woken = waiting.filter(({ after }) => after < number);
    waiting = waiting.filter(({ after }) => after >= number);
    for (const { done } of woken) done();
  }

  function takeChanges(answer: UserChanges): void {
    store.batch(() => {
      for (const { type, targetId, mine, theirs } of answer.read) {
        const key = chatKey(type, targetId);
        enqueue({ kind: "read", key, side: "mine", upTo: mine });
        if (theirs >= 0) enqueue({ kind: "read", key, side: "theirs", upTo: theirs });
        if ((store.get().chats.byKey[key]?.readId ?? -1) > mine) deps.onBehind(key);
      }
      for (const row of answer.system) {
        const incoming = readSystem(row);
        if (incoming.kind === "chat") enqueue(incoming.input);
      }
      for (const { type, upTo } of answer.cleared) enqueue({ kind: "cleared", type, upTo });
      for (const { type, targetId, ids } of answer.hidden)
        enqueue({ kind: "hide", key: chatKey(type, targetId), ids });
      for (const { groupId, userId, upTo } of answer.purged)
        enqueue({ kind: "purge", key: chatKey(ChatType.GROUP, groupId), purge: { userId, upTo } });
      for (const { groupId, ...receipt } of answer.receipts)
        enqueue({ kind: "receipt", key: chatKey(ChatType.GROUP, groupId), receipt });
      nextToken = answer.next;
      // Also an answer without news moves the token.
      if (!pulls.isLoading() && live.length === 0) desk.apply([], values());
    });
  }

  function lookAgain(type: ChatType | null): Promise<void> {
    // The next login asks by itself.
    if (!isConnected) return Promise.resolve();
    if (type !== null) pulls.again(type);
    const after = asks;
    if (ports.environment.hasNetwork()) askChanges();
    return new Promise((resolve) => waiting.push({ after, done: resolve }));
  }

  function retry(): void {
    if (!isConnected) return;
    pulls.retry();
    if (waiting.length > 0) askChanges();
  }

  function stop(): void {
    generation++;
    isConnected = false;
    wake(Infinity);
    store.batch(() => {
      drainLive();
      pulls.cut();
      drainBuffer();
      nextToken = null;
    });
  }

  return {
    async restore(isOver) {
      // The epoch first: another tab may write meanwhile, and cursors of one epoch must not count in the next.
      const [known, stored, floors, token] = await Promise.all(
        ["epoch", "cursors", "floors", "changesToken"].map((key) => disk.value(key)),
      );
      if (isOver()) return;
      if (isRecord(stored)) cursors = readNumbers(stored);
      if (isRecord(floors)) desk.floors = readNumbers(floors);
      if (typeof token === "string") changesToken = token;
      if (typeof known === "string") epoch = known;
    },
    start,
    stop,
    receive,
    hold(type) {
      const held = owner;
      holds[type]++;
      return () => {
        if (held === owner) holds[type]--;
      };
    },
    lookAgain,
    retry,
    renew(isCleared) {
      store.batch(() => {
        startOver(false, isCleared);
        disk.keep({ values: { epoch, cursors, floors: desk.floors, changesToken } });
        for (const type of CHAT_TYPES) void lookAgain(type);
      });
    },
    forget() {
      stop();
      owner++;
      holds = { ...NO_FLOORS };
      live = [];
      buffer = [];
      cursors = { ...NO_FLOORS };
      pulls.forget();
      changesToken = null;
      epoch = null;
    },
  };
}

function isPosition(input: ChatInput): boolean {
  return (input.kind === "read" && input.upTo !== null) || input.kind === "receipt";
}
