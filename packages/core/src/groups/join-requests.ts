import { listGroupRequests } from "@parley/protocol/endpoints/groups";
import type { GroupRequestVO } from "@parley/protocol/entities";
import { DONE, SILENT, type Api } from "../connection/api.ts";
import { createSyncedList } from "../connection/synced-list.ts";
import { putGroupRequest, removeGroupRequest, setGroupRequests } from "../model/groups/groups-state.ts";
import type { Groups, Result } from "../model/state.ts";
import type { StateStore } from "../state-store.ts";

/** The pending requests to join groups. */
export interface JoinRequests {
  reload(): Promise<Result<null>>;
  /** A push or an answer of the server brought this request. */
  put(request: GroupRequestVO): void;
  /** This client has answered a request. */
  remove(requestId: number): void;
  stop(): void;
}

/** What join requests need. */
export interface JoinRequestsDeps {
  api: Api;
  stateStore: StateStore;
  /** The id of the person signed in. */
  me: number;
}

/** Creates the join requests; none is loaded yet. */
export function createJoinRequests({ api, stateStore, me }: JoinRequestsDeps): JoinRequests {
  /** Requests that this client has answered over this connection; a push of such a request may arrive later and is ignored. */
  const answered = new Set<number>();
  const list = createSyncedList(
    () => api.call(listGroupRequests, {}, SILENT),
    (requests) => {
      if (!requests.ok) return requests;
      update((groups) => setGroupRequests(groups, requests.value, me));
      return DONE;
    },
  );

  function update(work: (groups: Groups) => Groups): void {
    stateStore.set({ groups: work(stateStore.get().groups) });
  }

  return {
    reload: list.reload,
    put(request) {
      if (answered.has(request.id)) return;
      list.markChanged();
      update((groups) => putGroupRequest(groups, request, me));
    },
    remove(requestId) {
      list.markChanged();
      answered.add(requestId);
      update((groups) => removeGroupRequest(groups, requestId));
    },
    stop: () => answered.clear(),
  };
}
