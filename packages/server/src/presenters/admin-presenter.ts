/** What administrators see of people, groups and acts. */
import type {
  AdminGroup,
  AdminPerson,
  AdminReport,
  AuditEntry,
  PersonRef,
} from "@parley/protocol/admin-entities";
import type { UserRow } from "../ports/account-store.ts";
import type { AuditRow } from "../ports/admin-store.ts";
import type { GroupRow } from "../ports/group-store.ts";
import type { ReportRow } from "../ports/report-store.ts";
import { membersMax } from "./group-presenter.ts";

/** A person in the list of people. */
export function adminPerson(user: UserRow, lastSeenTime: number | null, online: boolean): AdminPerson {
  return {
    id: user.id,
    userName: user.userName,
    nickName: user.nickName,
    headImage: user.headImage,
    headImageThumb: user.headImageThumb,
    createdTime: user.registeredAt,
    lastSeenTime,
    isBanned: user.banReason !== null,
    reason: user.banReason,
    isUnregistered: user.unregisteredAt !== null,
    isAdmin: user.isAdmin,
    online,
  };
}

/** A person that something refers to; null if there is none. */
function personRef(user: UserRow | undefined): PersonRef | null {
  return user === undefined ? null : { id: user.id, userName: user.userName, nickName: user.nickName };
}

/** A group in the list of groups. */
export function adminGroup(group: GroupRow, owner: UserRow | undefined, membersCount: number): AdminGroup {
  return {
    id: group.id,
    name: group.name,
    headImage: group.headImage,
    headImageThumb: group.headImageThumb,
    owner: personRef(owner),
    membersCount,
    maxMembers: membersMax(group),
    createdTime: group.createdAt,
    isBanned: group.banReason !== null,
    reason: group.banReason,
    isDissolved: group.dissolvedAt !== null,
  };
}

/** An act in the audit log; `name` is that of its target if the row has none. */
export function auditEntry(row: AuditRow, actor: UserRow | undefined, name: string | null): AuditEntry {
  return {
    id: row.id,
    time: row.at,
    actor: personRef(actor),
    action: row.action,
    target:
      row.targetKind === null
        ? null
        : { kind: row.targetKind, id: row.targetId, name: row.targetName ?? name },
    address: row.address,
    outcome: row.outcome,
  };
}

/** A report of abuse. `people` has those that it refers to. */
export function adminReport(report: ReportRow, people: ReadonlyMap<number, UserRow>): AdminReport {
  const { message, closure } = report;
  return {
    id: report.id,
    createdTime: report.createdAt,
    reporter: personRef(people.get(report.reporterId)),
    person: personRef(people.get(report.personId)),
    message: message && {
      chatType: message.chatType,
      id: message.messageId,
      groupId: message.groupId,
      type: message.messageType,
      content: message.content,
      sendTime: message.sendTime,
    },
    reason: report.reason,
    text: report.text,
    closed: closure && {
      time: closure.closedAt,
      by: closure.closedById === null ? null : personRef(people.get(closure.closedById)),
      outcome: closure.outcome,
      note: closure.note,
    },
  };
}
