import { findOnlineTerminals } from "@parley/protocol/endpoints/users";
import { ONLINE_QUERY_MAX, PRESENCE_REFRESH_MS } from "@parley/protocol/limits";
import { setOnline } from "../model/contacts/contacts-state.ts";
import { SILENT, type Api } from "../connection/api.ts";
import type { Ports } from "../ports.ts";
import type { StateStore } from "../state-store.ts";
import type { ContactRepository } from "./contact-repository.ts";

/** Who is online: requested for friends and watched users, and again while the connection lasts. */
export interface Presence {
  refresh(): Promise<void>;
  start(): void;
  stop(): void;
}

/** What presence needs, and where it reports to. */
export interface PresenceDeps {
  ports: Ports;
  api: Api;
  stateStore: StateStore;
  repository: ContactRepository;
  /** Users whose presence is requested besides that of friends. */
  watchedUserIds(): readonly number[];
  /** Called when the presence of these users has been loaded. */
  onPresence(requestedIds: ReadonlySet<number>): void;
}

/** Creates the presence; it requests nothing before `refresh` or `start`. */
export function createPresence({ ports, api, stateStore, repository, ...deps }: PresenceDeps): Presence {
  let cancelRefresh: (() => void) | null = null;

  async function refresh(): Promise<void> {
    const requestedIds = new Set([...stateStore.get().contacts.order, ...deps.watchedUserIds()]);
    const ids = [...requestedIds];
    const batches: number[][] = [];
    for (let i = 0; i < ids.length; i += ONLINE_QUERY_MAX) batches.push(ids.slice(i, i + ONLINE_QUERY_MAX));
    const answers = await Promise.all(
      batches.map((userIds) => api.call(findOnlineTerminals, { query: { userIds } }, SILENT)),
    );
    if (answers.some((answer) => !answer.ok)) return;
    const online = answers.flatMap((answer) => (answer.ok ? answer.value : []));
    stateStore.batch(() => {
      repository.update((contacts) => setOnline(contacts, online));
      deps.onPresence(requestedIds);
    });
  }

  function stop(): void {
    cancelRefresh?.();
    cancelRefresh = null;
  }

  function start(): void {
    stop();
    cancelRefresh = ports.clock.after(PRESENCE_REFRESH_MS, () => {
      repository.reloadIfStale();
      void refresh();
      start();
    });
  }

  return { refresh, start, stop };
}
