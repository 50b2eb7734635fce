/** The audit log. It can only be read: rows come from the acts themselves. */
import { pageOptions } from "../../access/administration.ts";
import type { AdminHandlers } from "../../api/admin-act.ts";
import type { AccountReads } from "../../ports/account-store.ts";
import type { AdminReads, AuditFilter } from "../../ports/admin-store.ts";
import type { GroupReads } from "../../ports/group-store.ts";
import { auditEntry } from "../../presenters/admin-presenter.ts";

export interface AuditLogDeps {
  store: Pick<AdminReads, "listAudit"> & Pick<AccountReads, "findUsers"> & Pick<GroupReads, "findGroups">;
}

export function createAuditLog({ store }: AuditLogDeps): Pick<AdminHandlers, "listAudit"> {
  return {
    async listAudit(_act, { query }) {
      const { actor, action, kind = "acts" } = query;
      const filter: AuditFilter = {
        ...(actor !== undefined && { actorId: actor === "commandLine" ? null : actor }),
        ...(action !== undefined && { action }),
        ...(kind !== "all" && { isLook: kind === "looks" }),
      };
      const { total, rows } = await store.listAudit(filter, pageOptions(query));
      const idsOf = (kind: string) =>
        rows.flatMap(({ targetKind, targetId }) =>
          targetKind === kind && targetId !== null ? targetId : [],
        );
      const people = await store.findUsers([
        ...rows.flatMap(({ actorId }) => actorId ?? []),
        ...idsOf("person"),
      ]);
      const groups = await store.findGroups(idsOf("group"));
      return {
        total,
        rows: rows.map((row) => {
          const id = row.targetId ?? 0;
          const name =
            row.targetKind === "person"
              ? people.get(id)?.userName
              : row.targetKind === "group"
                ? groups.get(id)?.name
                : null;
          return auditEntry(row, people.get(row.actorId ?? 0), name ?? null);
        }),
      };
    },
  };
}
