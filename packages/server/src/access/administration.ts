/** What all acts of administrators share. */
import type { Act, ActTarget } from "../api/admin-act.ts";
import { AdminError } from "../api/admin-error.ts";
import type { AccountReads } from "../ports/account-store.ts";
import type { AdminReads, AdminWrites, PageOptions } from "../ports/admin-store.ts";
import { isAccountActive } from "./people.ts";

const PAGE_SIZE = 20;

/** Writes an act into the audit log. Call it in the transaction of the act. */
export async function recordAct(
  tx: Pick<AdminWrites, "insertAudit">,
  { action, isLook, at, actorId, address, ...act }: Act,
  { target = act.target, outcome = "done" }: { target?: ActTarget | null; outcome?: string } = {},
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
  if (user === undefined || !user.isAdmin || !isAccountActive(user)) return;
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
