import type { JoinMode } from "@parley/protocol/codes";
import { createGroup } from "@parley/protocol/endpoints/groups";
import type { GroupVO } from "@parley/protocol/entities";
import { MEMBER_BATCH_MAX } from "@parley/protocol/limits";
import type { Api } from "../connection/api.ts";
import type { Result } from "../model/state.ts";
import type { Ports } from "../ports.ts";
import { applyAnsweredGroup } from "./act-on-group.ts";
import type { GroupRepository } from "./group-repository.ts";
import type { MemberActions } from "./member-actions.ts";

/** The fields of a new group. */
export interface NewGroup {
  readonly name: string;
  readonly memberIds: readonly number[];
  readonly headImage?: string | null;
  readonly headImageThumb?: string | null;
  /** Without it, what the server says (`config.group`). */
  readonly joinMode?: JoinMode;
  readonly isFindable?: boolean;
}

/** Creates a group. Members must be friends. The new group is in the state when this resolves. */
export type CreateGroup = (form: NewGroup) => Promise<Result<GroupVO>>;

/** What the creation of groups needs. */
export interface GroupCreationDeps {
  api: Api;
  ports: Pick<Ports, "random">;
  repository: GroupRepository;
  invite: MemberActions["invite"];
}

/** Creates the action that creates a group and invites all of its members, also those that do not fit into one call. */
export function createGroupCreation(deps: GroupCreationDeps): CreateGroup {
  const { api, ports, repository, invite } = deps;
  const creations = createCreations(ports.random);

  return async ({ memberIds, ...form }) => {
    const body = { ...form, memberIds: memberIds.slice(0, MEMBER_BATCH_MAX) };
    const creation = creations.begin([form, memberIds]);
    const versionAtStart = repository.version();
    const created = await api.call(createGroup, { body: { tmpId: creation.tmpId, ...body } });
    if (!created.ok) {
      void repository.reload();
      return created;
    }
    const { id } = created.value;
    const isOutdated = repository.hasChangedSince(id, versionAtStart);
    repository.markChanged(id);
    await applyAnsweredGroup(repository, created.value, isOutdated);
    creations.end(creation);
    await invite(id, memberIds.slice(MEMBER_BATCH_MAX));
    return created;
  };
}

/** A creation that the server has not confirmed. */
interface Creation {
  readonly form: string;
  readonly tmpId: string;
}

/** The server may have done a creation that got no answer, so the same form again is sent with the same tmpId. */
function createCreations(random: Ports["random"]) {
  let unanswered: Creation | null = null;
  return {
    begin(form: unknown): Creation {
      const text = JSON.stringify(form);
      if (unanswered?.form !== text) unanswered = { form: text, tmpId: random.id() };
      return unanswered;
    },
    end(creation: Creation): void {
      if (unanswered === creation) unanswered = null;
    },
  };
}
