import {
  self,
  setFindableBy,
  setLastSeenShown,
  setManualApprove,
  setReadReceipts,
  updateUser,
} from "@parley/protocol/endpoints/users";
import { type UserInfo, userInfo } from "@parley/protocol/entities";
import type { FindableBy } from "@parley/protocol/codes";
import type { Api } from "../connection/api.ts";
import type { ProfileChanges } from "../model/forms/profile-rules.ts";
import type { Result } from "../model/state.ts";
import type { StateStore } from "../state-store.ts";
import type { LocalDatabase } from "../storage/local-database.ts";

/** What a person changes of their own profile. */
export interface ProfileActions {
  /** Changes fields of one's own profile. The caller shows a failure. */
  updateProfile(changes: ProfileChanges): Promise<Result<null>>;
  /** Sets whether people need my approval to become friends. The caller shows a failure. */
  setManualApprove(isOn: boolean): Promise<Result<null>>;
  /** Sets by what the search for people finds me. The caller shows a failure. */
  setFindableBy(by: FindableBy): Promise<Result<null>>;
  /** Sets whether others are told what I have read in private chats, and I what they have. The caller shows a failure. */
  setReadReceipts(isOn: boolean): Promise<Result<null>>;
  /** Sets whether friends are told when I was last seen, and I when they were. The caller shows a failure. */
  setLastSeenShown(isOn: boolean): Promise<Result<null>>;
}

/** One's own user info: in the state, in the local database, and changed on the server. */
export interface OwnProfile {
  readonly actions: ProfileActions;
  restore(): Promise<void>;
  /** Loads it from the server. */
  load(): Promise<void>;
}

/** What the own profile needs, and where it reports to. */
export interface OwnProfileDeps {
  api: Api;
  stateStore: StateStore;
  database: LocalDatabase;
  /** The id of the person signed in. */
  me: number;
  /** It came from the server, or was changed there. */
  onOwnInfo(user: UserInfo): void;
}

const SILENT = { silent: true };
const SHOWN_IN_PLACE = { isShownInPlace: true };

/** Creates the own profile; `restore` shows what the local database holds. */
export function createOwnProfile({ api, stateStore, database, me, onOwnInfo }: OwnProfileDeps): OwnProfile {
  /** Rises with each change that this client makes, so that an answer from before it is not taken over. */
  let changeCount = 0;

  function put(user: UserInfo): void {
    stateStore.set({ me: user });
    database.save({ values: { me: user } });
    onOwnInfo(user);
  }

  async function load(): Promise<void> {
    const countBefore = changeCount;
    const user = await api.call(self, {}, SILENT);
    if (changeCount !== countBefore) return load();
    if (user.ok && user.value.id === me) put(user.value);
  }

  function applyChange(part: Partial<UserInfo>): void {
    changeCount++;
    const { me: user } = stateStore.get();
    if (user !== null) put({ ...user, ...part });
  }

  /** Shows a setting after the server has accepted it, then loads the user info as the server has it (spec §7). */
  async function changeSetting(call: Promise<Result<null>>, part: Partial<UserInfo>): Promise<Result<null>> {
    const result = await call;
    if (result.ok) {
      applyChange(part);
      await load();
    }
    return result;
  }

  const actions: ProfileActions = {
    async updateProfile(changes) {
      const result = await api.call(updateUser, { body: { id: me, ...changes } }, SHOWN_IN_PLACE);
      if (result.ok) applyChange(changes);
      // Without an answer the server may have changed it.
      else if (result.failure.kind !== "refused") void load();
      return result;
    },
    setManualApprove: (isOn) =>
      changeSetting(api.call(setManualApprove, { query: { enabled: isOn } }, SHOWN_IN_PLACE), {
        isManualApprove: isOn,
      }),
    setFindableBy: (by) =>
      changeSetting(api.call(setFindableBy, { query: { by } }, SHOWN_IN_PLACE), { findableBy: by }),
    setReadReceipts: (isOn) =>
      changeSetting(api.call(setReadReceipts, { query: { enabled: isOn } }, SHOWN_IN_PLACE), {
        readReceipts: isOn,
      }),
    setLastSeenShown: (isOn) =>
      changeSetting(api.call(setLastSeenShown, { query: { enabled: isOn } }, SHOWN_IN_PLACE), {
        lastSeenShown: isOn,
      }),
  };

  return {
    actions,
    async restore() {
      const user = userInfo.safeParse(await database.value("me"));
      if (user.success && user.data.id === me) stateStore.set({ me: user.data });
    },
    load,
  };
}
