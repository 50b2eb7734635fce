import { GroupRole } from "@parley/protocol/codes";
import {
  addGroupManagers,
  inviteToGroup,
  muteGroupMembers,
  removeGroupManagers,
  removeGroupMembers,
  transferGroup,
} from "@parley/protocol/endpoints/groups";
import type { GroupMemberVO } from "@parley/protocol/entities";
import { MEMBER_BATCH_MAX } from "@parley/protocol/limits";
import { DONE, type Api } from "../connection/api.ts";
import type { IdempotentCall } from "../connection/already-done.ts";
import { isGroupLeader, patchMembers } from "../model/groups/groups-state.ts";
import type { Result } from "../model/state.ts";
import type { GroupRepository } from "./group-repository.ts";

/** The actions on the members of a group. */
export interface MemberActions {
  /**
   * Invites friends. If I am neither owner nor admin, this creates requests where joining needs approval, and for those who were removed; they are
   * in the state when this resolves.
   */
  invite(id: number, friendIds: readonly number[]): Promise<Result<null>>;
  removeMembers(id: number, userIds: readonly number[], deleteMessages: boolean): Promise<Result<null>>;
  setMuted(id: number, userIds: readonly number[], isMuted: boolean): Promise<Result<null>>;
  setManagers(id: number, userIds: readonly number[], isManager: boolean): Promise<Result<null>>;
  transfer(id: number, userId: number): Promise<Result<null>>;
}

/** What member actions need. */
export interface MemberActionsDeps {
  api: Api;
  callIdempotent: IdempotentCall;
  repository: GroupRepository;
  /** The id of the person signed in. */
  me: number;
  /** Applies a call that changes a group when it is answered, unless something newer is known. */
  perform(id: number, call: Promise<Result<null>>, applyLocally: () => void): Promise<Result<null>>;
}

/** Creates the actions on the members of a group. */
export function createMemberActions(deps: MemberActionsDeps): MemberActions {
  const { api, callIdempotent, repository, me, perform } = deps;

  /** Sends an action on many users in batches, one after the other. */
  async function inBatches(
    userIds: readonly number[],
    send: (batch: number[]) => Promise<Result<null>>,
  ): Promise<Result<null>> {
    for (let i = 0; i < userIds.length; i += MEMBER_BATCH_MAX) {
      const result = await send(userIds.slice(i, i + MEMBER_BATCH_MAX));
      if (!result.ok) return result;
    }
    return DONE;
  }

  function changeMembers(
    id: number,
    userIds: readonly number[],
    part: Partial<GroupMemberVO>,
    call: (userIds: number[]) => Promise<Result<null>>,
  ): Promise<Result<null>> {
    return inBatches(userIds, async (batch) => {
      const result = await perform(id, call(batch), () => undefined);
      if (result.ok) repository.update((groups) => patchMembers(groups, id, batch, part));
      return result;
    });
  }

  return {
    invite: (id, friendIds) =>
      inBatches(friendIds, async (batch) => {
        const call = api.call(inviteToGroup, { body: { groupId: id, friendIds: batch } });
        const result = await perform(id, call, () => undefined);
        const group = repository.get(id);
        // The invitation may have become requests: all where joining needs approval, elsewhere those of people who were removed.
        if (result.ok && !isGroupLeader(group)) await repository.reloadRequests();
        return result;
      }),
    removeMembers: (id, userIds, deleteMessages) =>
      changeMembers(id, userIds, { quit: true }, (batch) =>
        api.call(removeGroupMembers, { body: { groupId: id, userIds: batch, deleteMessages } }),
      ),
    setMuted: (id, userIds, isMuted) =>
      changeMembers(id, userIds, { isMuted }, (batch) =>
        api.call(muteGroupMembers, { body: { groupId: id, userIds: batch, isMuted } }),
      ),
    setManagers: (id, userIds, isManager) =>
      changeMembers(id, userIds, { role: isManager ? GroupRole.ADMIN : GroupRole.MEMBER }, (batch) =>
        api.call(isManager ? addGroupManagers : removeGroupManagers, {
          body: { groupId: id, userIds: batch },
        }),
      ),
    async transfer(id, userId) {
      const call = callIdempotent(
        transferGroup,
        { body: { groupId: id, userId } },
        { "group.noRight": null },
      );
      const part = userId === me ? {} : { ownerId: userId, role: GroupRole.MEMBER };
      const result = await perform(id, call, () => repository.patch(id, part));
      if (result.ok && userId !== me)
        repository.update((groups) =>
          patchMembers(patchMembers(groups, id, [me], { role: GroupRole.MEMBER }), id, [userId], {
            role: GroupRole.OWNER,
            isMuted: false,
          }),
        );
      return result;
    },
  };
}
