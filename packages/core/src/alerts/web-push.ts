import { loadSystemConfig } from "@parley/protocol/endpoints/account";
import { subscribeWebPush, unsubscribeWebPush } from "@parley/protocol/endpoints/web-push";
import type { Api } from "../connection/api.ts";
import type { WebPushFailure } from "../model/state.ts";
import type { Ports } from "../ports.ts";
import type { StateStore } from "../state-store.ts";
import type { SessionEvents } from "../session-events.ts";
import { LOCAL_KEYS, readValue, writeValue } from "../storage/key-value-storage.ts";

/** Whether this device is notified of messages while no page is open. */
export interface WebPushActions {
  /** Turns it on, with or without sender and text in what is shown. Call it when the person has pressed something: the browser may ask them. */
  enable(hasPreview: boolean): void;
  disable(): void;
  /**
   * Subscribes again if the person has turned it on: the session, the key of the server or the language may be another one, and the browser
   * may have given the device another address.
   */
  renew(): void;
}

export interface WebPushDeps {
  /** Bound to the session. */
  ports: Ports;
  stateStore: StateStore;
  api: Api;
  /** What belongs to this person on this server. */
  databaseName: string;
  /** Not bound to the session: it is called when the session has ended. */
  endSubscription(): Promise<void>;
}

/** The web push of one session. */
export interface WebPushService extends Pick<SessionEvents, "wentOnline" | "signedOut"> {
  readonly actions: WebPushActions;
}

/** The settings show what failed. */
const SILENT = { silent: true };

type Wish = "plain" | "preview";

/** Creates the web push of one session. */
export function createWebPush(deps: WebPushDeps): WebPushService {
  const { ports, stateStore, api, databaseName } = deps;
  const key = `${LOCAL_KEYS.webPush}${databaseName}`;
  let isRetryNeeded = false;
  /** Each change replaces the one before. */
  let changes = 0;

  function wish(): Wish | null {
    const value = readValue(ports.storage.local, key);
    return value === "plain" || value === "preview" ? value : null;
  }

  async function publicKey(): Promise<string | null | undefined> {
    const { config } = stateStore.get();
    if (config !== null) return config.webPush?.publicKey ?? null;
    const answer = await api.call(loadSystemConfig, {}, SILENT);
    return answer.ok ? (answer.value.webPush?.publicKey ?? null) : undefined;
  }

  /** Subscribes browser and server. Returns why it failed, or null. */
  async function subscribe(preview: boolean): Promise<WebPushFailure | null> {
    const serverKey = await publicKey();
    if (serverKey === undefined) return "server";
    if (serverKey === null) return "off";
    const subscription = await ports.webPush.subscribe(serverKey);
    if (subscription === "denied" || subscription === "failed") {
      return subscription === "denied" ? "denied" : "browser";
    }
    const answer = await api.call(subscribeWebPush, { body: { ...subscription, preview } }, SILENT);
    return answer.ok ? null : "server";
  }

  async function apply(wanted: Wish): Promise<void> {
    const change = ++changes;
    const hasPreview = wanted === "preview";
    stateStore.set({ webPush: { kind: "working", hasPreview } });
    const failure = await subscribe(hasPreview);
    if (change !== changes) return;
    isRetryNeeded = failure === "server";
    stateStore.set({
      webPush:
        failure === null ? { kind: "on", hasPreview } : { kind: "failed", hasPreview, reason: failure },
    });
  }

  async function end(): Promise<void> {
    changes++;
    isRetryNeeded = false;
    stateStore.set({ webPush: { kind: "off" } });
    // The browser's part alone is enough: the server deletes a subscription that the push service does not know.
    await deps.endSubscription();
    await api.call(unsubscribeWebPush, {}, SILENT);
  }

  const report = (error: unknown) =>
    ports.log.warn("web push could not be changed", { reason: String(error) });

  function renew(): void {
    const wanted = wish();
    if (wanted !== null) void apply(wanted).catch(report);
  }

  const actions: WebPushActions = {
    enable(hasPreview) {
      writeValue(ports.storage.local, key, hasPreview ? "preview" : "plain");
      void apply(hasPreview ? "preview" : "plain").catch(report);
    },
    disable() {
      writeValue(ports.storage.local, key, null);
      void end().catch(report);
    },
    renew,
  };

  return {
    actions,
    // The subscription may have failed for want of an answer.
    wentOnline() {
      if (isRetryNeeded) renew();
    },
    // The browser gets no more notifications. The choice stays for the next session.
    signedOut() {
      if (wish() !== null) void deps.endSubscription().catch(report);
    },
  };
}
