/** What all acts of administrators share. */
import type { ErrorKey } from "@parley/protocol/errors";
import type { Act, ActTarget } from "../api/admin-act.ts";
import { AdminError } from "../api/admin-error.ts";
import { ApiError } from "../api/api-error.ts";
import type { AccountReads } from "../ports/account-store.ts";
import type { AdminReads, AdminWrites, PageOptions } from "../ports/admin-store.ts";
import { isActiveAdmin } from "./people.ts";

const PAGE_SIZE = 20;

/** What a transaction needs to record acts. */
export type AuditTx = Pick<AdminWrites, "insertAudit"> & Pick<AccountReads, "findUser">;

/**
 * Writes an act into the audit log. Call it in the transaction of the act, before the actor may lose the role by it. Throws `admin.required` if
 * the actor has lost the role since the call was let in.
 */
export async function recordAct(tx: AuditTx, act: Act, target: ActTarget | null = act.target): Promise<void> {
  if (act.actorId !== null && !isActiveAdmin(await tx.findUser(act.actorId)))
    throw new ApiError("admin.required");
  await insertAct(tx, act, target, "done");
}

/** Writes a refused act into the audit log. */
export async function recordRefused(
  tx: Pick<AdminWrites, "insertAudit">,
  act: Act,
  key: ErrorKey,
): Promise<void> {
  await insertAct(tx, act, act.target, key);
}

async function insertAct(
  tx: Pick<AdminWrites, "insertAudit">,
  { action, isLook, at, actorId, address }: Act,
  target: ActTarget | null,
  outcome: string,
): Promise<void> {
  await tx.insertAudit({
    at,
    actorId,
    action,
    isLook,
    targetKind: target?.kind ?? null,
    targetId: target?.id ?? null,
    targetName: target?.name ?? null,
    address,
    outcome,
  });
}

/** Throws if this person is the only administrator who can act. Call it in the transaction that ends that. */
export async function requireOtherAdmin(
  tx: Pick<AccountReads, "findUser"> & Pick<AdminReads, "countActiveAdmins">,
  userId: number,
): Promise<void> {
  const user = await tx.findUser(userId);
  if (!isActiveAdmin(user)) return;
  if ((await tx.countActiveAdmins()) > 1) return;
  throw new AdminError("admin.lastStays", `${user.userName} is the last administrator and has to stay.`);
}

/** The rows of the asked page. */
export function pageOptions({
  page = 0,
  size = PAGE_SIZE,
}: {
  page?: number | undefined;
  size?: number | undefined;
}): PageOptions {
  return { offset: page * size, limit: size };
}
