import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Client } from "@parley/core/client-api";
import { toChatMessage } from "@parley/core/model/chats/chat-rows";
import type { Chat, ChatMessage, State } from "@parley/core/model/state";
import { INITIAL_STATE } from "@parley/core/state-store";
import { chat, FRIEND_CHAT, ME, privateRow } from "@parley/core/testing/builders";
import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { offerUpdate } from "./app-update.ts";
import { installServiceWorker } from "./install-service-worker.ts";
import { recalledFiles, startServiceWorker } from "./start-service-worker.ts";

vi.mock("./app-update.ts", () => ({ offerUpdate: vi.fn() }));

const log = { debug: vi.fn(), warn: vi.fn(), error: vi.fn() };

/** A service worker of the browser. */
class Worker extends EventTarget {
  readonly postMessage = vi.fn();
  state: string;
  constructor(state: string) {
    super();
    this.state = state;
  }
}

class Registration extends EventTarget {
  active: Worker | null = null;
  waiting: Worker | null = null;
  installing: Worker | null = null;
  readonly update = vi.fn(() => Promise.resolve());
}

class Container extends EventTarget {
  controller: Worker | null = null;
  readonly registration = new Registration();
  readonly register = vi.fn(() => Promise.resolve(this.registration));
  readonly getRegistration = () => Promise.resolve(this.registration);
}

/** A client whose state the test sets. */
function fakeClient() {
  let state: State = INITIAL_STATE;
  const listeners = new Set<() => void>();
  const client = {
    getState: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as Client;
  const set = (changes: Partial<State>) => {
    state = { ...state, ...changes };
    for (const listener of listeners) listener();
  };
  return { client, set };
}

const ONLINE = { session: { kind: "active", userId: 1 }, connection: { kind: "online" } } as const;
const UPLOAD = { t1: { sentBytes: 1, totalBytes: 2 } };

describe("the service worker", () => {
  let container: Container;
  const reload = vi.fn();
  const settle = () => vi.advanceTimersByTimeAsync(0);
  beforeEach(() => {
    vi.useFakeTimers();
    vi.clearAllMocks();
    container = new Container();
    vi.stubEnv("PROD", true);
    vi.stubGlobal("navigator", { serviceWorker: container });
    vi.stubGlobal("location", { reload });
    return () => {
      vi.useRealTimers();
      vi.unstubAllGlobals();
      vi.unstubAllEnvs();
    };
  });

  test("W1 is installed 10 s after the client was online for the first time, once", async () => {
    const { client, set } = fakeClient();
    startServiceWorker(client, log);
    await vi.advanceTimersByTimeAsync(60_000);
    set(ONLINE);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(container.register).not.toHaveBeenCalled();
    set({ connection: { kind: "connecting" } });
    set(ONLINE);
    await vi.advanceTimersByTimeAsync(60_000);
    await vi.waitFor(() => expect(container.register).toHaveBeenCalledOnce(), 60_000);
    expect(container.register).toHaveBeenCalledWith("/service-worker.js", { updateViaCache: "none" });
  });

  test("W1 is not used by the development server, nor without support", () => {
    vi.stubEnv("PROD", false);
    const { client } = fakeClient();
    const subscribe = vi.spyOn(client, "subscribe");
    startServiceWorker(client, log);
    vi.stubEnv("PROD", true);
    vi.stubGlobal("navigator", {});
    startServiceWorker(client, log);
    expect(subscribe).not.toHaveBeenCalled();
  });

  test("W6 that cannot be registered is only logged", async () => {
    container.register.mockRejectedValueOnce(new Error("no"));
    await installServiceWorker(fakeClient().client, log);
    expect(log.warn).toHaveBeenCalledOnce();
    expect(offerUpdate).not.toHaveBeenCalled();
  });

  test("W9 W10 is told of a sign-out and of each login of the socket", async () => {
    const active = new Worker("activated");
    container.registration.active = active;
    const { client, set } = fakeClient();
    startServiceWorker(client, log);
    set({ session: { kind: "restoring", userId: 1 } });
    set(ONLINE);
    set({ session: { kind: "active", userId: 1 } });
    set({ connection: { kind: "waiting", retryAt: 5 } });
    set(ONLINE);
    set({ session: { kind: "anonymous", ended: null }, connection: { kind: "off" } });
    await settle();
    expect(active.postMessage.mock.calls.map(([message]: unknown[]) => message)).toEqual([
      { kind: "checkPictures" },
      { kind: "checkPictures" },
      { kind: "signedOut" },
    ]);
  });

  test("W4 that is new is offered and told to take over when the person accepts and nothing is being uploaded", async () => {
    const { client, set } = fakeClient();
    container.registration.active = new Worker("activated");
    await installServiceWorker(client, log);
    expect(offerUpdate).not.toHaveBeenCalled();
    const next = new Worker("installing");
    container.registration.installing = next;
    container.registration.dispatchEvent(new Event("updatefound"));
    container.registration.waiting = next;
    next.state = "installed";
    next.dispatchEvent(new Event("statechange"));
    const accept = vi.mocked(offerUpdate).mock.calls.at(-1)?.[0];
    set({ uploads: UPLOAD });
    accept?.();
    expect(offerUpdate).toHaveBeenLastCalledWith(null);
    await settle();
    expect(next.postMessage).not.toHaveBeenCalled();
    set({ uploads: {} });
    await settle();
    expect(next.postMessage).toHaveBeenCalledExactlyOnceWith({ kind: "activate" });
  });

  test("W4 that waits when the person accepts is told to take over, not the one that was offered", async () => {
    const [offered, newer] = [new Worker("installed"), new Worker("installed")];
    container.registration.active = new Worker("activated");
    container.registration.waiting = offered;
    await installServiceWorker(fakeClient().client, log);
    container.registration.waiting = newer;
    vi.mocked(offerUpdate).mock.calls.at(-1)?.[0]?.();
    await settle();
    expect(offered.postMessage).not.toHaveBeenCalled();
    expect(newer.postMessage).toHaveBeenCalledExactlyOnceWith({ kind: "activate" });
  });

  test("W4 that is the first one is not offered, and one that waits since the last start is", async () => {
    const { client } = fakeClient();
    container.registration.waiting = new Worker("installed");
    await installServiceWorker(client, log);
    expect(offerUpdate).not.toHaveBeenCalled();
    container.registration.active = new Worker("activated");
    await installServiceWorker(client, log);
    expect(offerUpdate).toHaveBeenCalledOnce();
  });

  test("W4 is asked for every hour while the page is open", async () => {
    await installServiceWorker(fakeClient().client, log);
    container.registration.update.mockRejectedValueOnce(new Error("no network"));
    await vi.advanceTimersByTimeAsync(2 * 3_600_000);
    expect(container.registration.update).toHaveBeenCalledTimes(2);
    expect(log.warn).toHaveBeenCalledOnce();
  });

  test("W5 that took over reloads the page, after running uploads; the first one does not", async () => {
    const { client, set } = fakeClient();
    startServiceWorker(client, log);
    const change = () => container.dispatchEvent(new Event("controllerchange"));
    change();
    await settle();
    expect(reload).not.toHaveBeenCalled();
    set({ uploads: UPLOAD });
    change();
    await settle();
    expect(reload).not.toHaveBeenCalled();
    set({ uploads: {} });
    await settle();
    expect(reload).toHaveBeenCalledOnce();
  });
});

const picture = (id: number): ChatMessage =>
  toChatMessage(
    privateRow({
      id,
      type: MessageType.IMAGE,
      content: JSON.stringify({ originUrl: `/files/${id}/image.png`, thumbUrl: `/files/${id}/thumb.webp` }),
    }),
    ME,
  );
const recalled = (id: number): ChatMessage =>
  toChatMessage(
    privateRow({ id, type: MessageType.TIP_TEXT, content: "", status: MessageStatus.RECALL }),
    ME,
  );

function chatsOf(...messages: ChatMessage[]): State["chats"] {
  const empty = chat({ key: FRIEND_CHAT });
  const one: Chat = { ...empty, window: { ...empty.window, messages } };
  // Each is a new list, as after an event.
  return { ...INITIAL_STATE.chats, byKey: { [FRIEND_CHAT]: { ...one, sync: { ...one.sync, events: [] } } } };
}

test("the files of messages are known when they are recalled, not of those that are only gone or were recalled before", () => {
  const before = chatsOf(picture(1), picture(2), recalled(3));
  const now = chatsOf(picture(1), recalled(2), recalled(3));
  expect(recalledFiles(before, now)).toEqual(["/files/2/image.png", "/files/2/thumb.webp"]);
  expect(recalledFiles(before, before)).toEqual([]);
  expect(recalledFiles(before, chatsOf(picture(2)))).toEqual([]);
  expect(recalledFiles(INITIAL_STATE.chats, now)).toEqual([]);
});

test("a chat without new events is not looked at", () => {
  const before = chatsOf(picture(1));
  const old = before.byKey[FRIEND_CHAT];
  const now = {
    ...before,
    byKey: {
      [FRIEND_CHAT]: { ...(old as Chat), window: { ...(old as Chat).window, messages: [recalled(1)] } },
    },
  };
  expect(recalledFiles(before, now)).toEqual([]);
});
