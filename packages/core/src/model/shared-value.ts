import type * as z from "zod/mini";
import type { ChangeField, UserChanges } from "@parley/protocol/endpoints/changes";

/**
 * A value beside chats, contacts and groups that all tabs of this browser share and the local database keeps, with everything that
 * distinguishes it from others: what else happens to it is in `storage/shared-values.ts`. `Field`: the fields of the change feed that it
 * reads.
 */
export interface SharedValue<Value, Change, Field extends ChangeField = never> {
  readonly initial: Value;
  /** The value as it is stored. */
  readonly schema: z.ZodMiniType<Value>;
  /** A change as tabs tell each other. */
  readonly changeSchema: z.ZodMiniType<Change>;
  /** The value after a change, which may arrive twice; the same object if nothing changes. */
  reduce(value: Value, change: Change): Value;
  /** What an answer of the change feed changes. Left out, the server does not know the value: it is of this device only. */
  changesOf?(feed: Pick<UserChanges, Field>): readonly Change[];
  /** It is not kept on the device after a logout. Not for a value of the change feed, whose token is kept. */
  readonly endsWithLogin?: true;
}

export type AnySharedValue = SharedValue<unknown, unknown, ChangeField>;
