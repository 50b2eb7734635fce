import { findUser } from "@parley/protocol/endpoints/users";
import { type Api, SILENT } from "../connection/api.ts";
import { putUsers } from "../model/contacts/contacts-state.ts";
import type { StateStore } from "../state-store.ts";
import type { ContactRepository } from "./contact-repository.ts";

/** User infos of people who need not be friends. */
export interface KnownUsers {
  /** Loads those of these users who are not known yet, each once. */
  loadUnknown(userIds: readonly number[]): void;
  /** A friend has changed. What only their user info tells is loaded again if it was loaded before. */
  refresh(userId: number): Promise<void>;
  /** Users who could not be loaded may be requested again. */
  stop(): void;
}

/** What known users need. */
export interface KnownUsersDeps {
  api: Api;
  stateStore: StateStore;
  repository: ContactRepository;
  /** The id of the person signed in. */
  me: number;
}

/** Creates the known users; none is requested yet. */
export function createKnownUsers({ api, stateStore, repository, me }: KnownUsersDeps): KnownUsers {
  const requestedIds = new Set<number>();

  async function load(id: number): Promise<void> {
    const user = await api.call(findUser, { params: { id } }, SILENT);
    if (user.ok) repository.update((contacts) => putUsers(contacts, [user.value]));
  }

  return {
    loadUnknown(userIds) {
      const { contacts } = stateStore.get();
      for (const id of userIds) {
        if (contacts.friends[id] || contacts.users[id] || requestedIds.has(id) || id === me) continue;
        requestedIds.add(id);
        void load(id);
      }
    },
    async refresh(userId) {
      if (stateStore.get().contacts.users[userId] !== undefined) await load(userId);
    },
    stop: () => requestedIds.clear(),
  };
}
