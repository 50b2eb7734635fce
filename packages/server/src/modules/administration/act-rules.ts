/** Says for each call for administrators whether it only looks, and what it is aimed at. A call without a row does not compile. */
import type { ActTarget, AdminEndpointName, AdminInput } from "../../api/admin-act.ts";

interface ActRule<Name extends AdminEndpointName> {
  /** It changes nothing. */
  isLook: boolean;
  /** Null if it is aimed at nothing in particular, or at something that it makes. */
  target(input: AdminInput<Name>): ActTarget | null;
}

const person = (id: number): ActTarget => ({ kind: "person", id, name: null });
const group = (id: number): ActTarget => ({ kind: "group", id, name: null });
const look = { isLook: true, target: () => null };
const act = { isLook: false, target: () => null };
const onPerson = { isLook: false, target: ({ body }: { body: { userId: number } }) => person(body.userId) };
const onGroup = { isLook: false, target: ({ body }: { body: { groupId: number } }) => group(body.groupId) };

export const ACT_RULES: { readonly [Name in AdminEndpointName]: ActRule<Name> } = {
  listPeople: look,
  createPerson: { isLook: false, target: ({ body }) => ({ kind: "person", id: null, name: body.userName }) },
  banPerson: onPerson,
  unbanPerson: onPerson,
  resetPersonPassword: onPerson,
  listPersonSessions: { isLook: true, target: ({ query }) => person(query.userId) },
  endPersonSessions: { isLook: false, target: ({ query }) => person(query.userId) },
  unregisterPerson: onPerson,
  grantAdmin: onPerson,
  revokeAdmin: onPerson,
  listAllGroups: look,
  listMembersOfGroup: { isLook: true, target: ({ query }) => group(query.groupId) },
  banGroup: onGroup,
  unbanGroup: onGroup,
  dissolveAnyGroup: onGroup,
  setGroupLarge: onGroup,
  listInviteCodes: look,
  createInviteCode: act,
  deleteInviteCode: act,
  previewNotice: look,
  publishNotice: act,
  listNotices: look,
  loadOverview: look,
  loadSettings: look,
  saveSettings: { isLook: false, target: () => ({ kind: "settings", id: null, name: null }) },
  listAudit: look,
  listReports: look,
  closeReport: {
    isLook: false,
    target: ({ body }) => ({ kind: "report", id: body.reportId, name: null }),
  },
};
