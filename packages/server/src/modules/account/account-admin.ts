/** What administrators see and do with accounts and invite codes. */
import { CHANGED_PEOPLE } from "@parley/protocol/message";
import { pageOptions, recordAct, requireOtherAdmin } from "../../access/administration.ts";
import { isAccountActive } from "../../access/people.ts";
import type { Act, AdminHandlers } from "../../api/admin-act.ts";
import { AdminError } from "../../api/admin-error.ts";
import { ApiError } from "../../api/api-error.ts";
import { parseBanReason } from "../../api/ban-reason.ts";
import { type Delivery, changesFrame } from "../../delivery/delivery.ts";
import type { UserRow } from "../../ports/account-store.ts";
import type { Presence } from "../../ports/presence.ts";
import { adminPerson } from "../../presenters/admin-presenter.ts";
import type { AccountStatus } from "./account-status.ts";
import type { AccountsStore, AccountsTx } from "./accounts-store.ts";
import type { PasswordHasher } from "./password-hasher.ts";
import { randomText } from "./random-text.ts";

export interface AccountAdminDeps {
  store: AccountsStore;
  presence: Presence;
  delivery: Pick<Delivery, "endSessions" | "invalidateUsers" | "toUsers">;
  passwordHasher: PasswordHasher;
  accountStatus: AccountStatus;
}

type AccountAdminHandlers = Pick<
  AdminHandlers,
  | "listPeople"
  | "createPerson"
  | "banPerson"
  | "unbanPerson"
  | "resetPersonPassword"
  | "listPersonSessions"
  | "endPersonSessions"
  | "unregisterPerson"
  | "grantAdmin"
  | "revokeAdmin"
  | "listInviteCodes"
  | "createInviteCode"
  | "deleteInviteCode"
>;

const DAY_MS = 24 * 3_600_000;
const INVITE_CODE_LENGTH = 12;
const PASSWORD_LENGTH = 16;
/** So much of an invite code is in the audit log: enough to recognise it, not enough to use it. */
const CODE_SHOWN = 4;

export function createAccountAdmin(deps: AccountAdminDeps): AccountAdminHandlers {
  return { ...createPeopleAdmin(deps), ...createRoleAdmin(deps), ...createInviteCodeAdmin(deps) };
}

function requireOpen(user: UserRow | undefined): UserRow {
  if (user === undefined) throw new ApiError("user.notFound");
  if (user.unregisteredAt !== null)
    throw new AdminError("admin.accountClosed", `The account of ${user.userName} is closed.`);
  return user;
}

function createPeopleAdmin({ store, presence, delivery, passwordHasher, accountStatus }: AccountAdminDeps) {
  /** Writes the act in the transaction of the change, in which the account must still be open: another administrator may be faster. */
  const recordOn =
    (act: Act, userId: number, check: (user: UserRow) => void = () => undefined) =>
    async (tx: AccountsTx) => {
      check(requireOpen(await tx.findUser(userId)));
      await recordAct(tx, act);
    };
  return {
    async listPeople(_act, { query }) {
      const { total, rows } = await store.listPeoplePage(
        query.query?.trim() ?? "",
        query.state ?? "all",
        pageOptions(query),
      );
      const ids = rows.map(({ id }) => id);
      const [lastSeen, online] = [await store.listLastSeen(ids), await presence.online(ids)];
      return {
        total,
        rows: rows.map((row) => adminPerson(row, lastSeen.get(row.id) ?? null, online.has(row.id))),
      };
    },

    async createPerson(act, { body }) {
      const password = body.password ?? randomText(PASSWORD_LENGTH);
      const passwordHash = await passwordHasher.hash(password);
      const userId = await store.write(async (tx) => {
        const user = await tx.insertUser({
          userName: body.userName,
          nickName: body.nickName,
          passwordHash,
          headImage: null,
          headImageThumb: null,
          registeredAt: act.at,
          registerDevice: null,
        });
        if (user === undefined)
          throw new AdminError("register.userNameTaken", `The user name ${body.userName} is taken.`);
        await recordAct(tx, act, { kind: "person", id: user.id, name: user.userName });
        return user.id;
      });
      return { userId, password: body.password == null ? password : null };
    },

    async banPerson(act, { body }) {
      const { userId } = body;
      await accountStatus.ban(userId, parseBanReason(body.reason), act.at, recordOn(act, userId));
      return null;
    },

    async unbanPerson(act, { body }) {
      const requireBanned = ({ banReason, userName }: UserRow) => {
        if (banReason === null) throw new AdminError("admin.notBanned", `${userName} is not banned.`);
      };
      await accountStatus.unban(body.userId, recordOn(act, body.userId, requireBanned));
      return null;
    },

    async resetPersonPassword(act, { body }) {
      const { userId } = body;
      const password = randomText(PASSWORD_LENGTH);
      const hash = await passwordHasher.hash(password);
      const endedIds = await store.write(async (tx) => {
        await recordOn(act, userId)(tx);
        await tx.setPasswordHash(userId, hash);
        return tx.endSessions(userId, null, "passwordChanged", act.at);
      });
      delivery.endSessions(userId, endedIds, "passwordChanged", null);
      return { password };
    },

    async listPersonSessions(act, { query }) {
      const rows = await store.listSessions(query.userId, act.at);
      return rows.map(({ id, terminal, device, os, browser, createdAt, lastSeenAt, address }) => ({
        id,
        terminal,
        device,
        os,
        browser,
        createdTime: createdAt,
        lastSeen: lastSeenAt,
        address,
      }));
    },

    async endPersonSessions(act, { query }) {
      const { userId, id } = query;
      const endedIds = await store.write(async (tx) => {
        await recordAct(tx, act);
        if (id === undefined) return tx.endSessions(userId, null, "sessionEnded", act.at);
        const row = await tx.findSession(id);
        // It has ended already or is somebody else's: nothing to end.
        if (row === undefined || row.userId !== userId || row.endedAt !== null) return [];
        await tx.updateSession(id, { endedAt: act.at, endReason: "sessionEnded" });
        return [id];
      });
      delivery.endSessions(userId, endedIds, "sessionEnded", id === undefined ? null : undefined);
      return null;
    },

    async unregisterPerson(act, { body }) {
      await accountStatus.unregister(body.userId, act.at, recordOn(act, body.userId));
      return null;
    },
  } satisfies Partial<AccountAdminHandlers>;
}

function createRoleAdmin({ store, delivery }: AccountAdminDeps) {
  /** Their pages show or hide what is for administrators; also the page of somebody who has given up the own role. */
  const roleChanged = (userId: number) => {
    delivery.invalidateUsers([userId]);
    delivery.toUsers([userId], changesFrame(userId, CHANGED_PEOPLE), "changes");
  };
  return {
    async grantAdmin(act, { body }) {
      await store.write(async (tx) => {
        const user = requireOpen(await tx.findUser(body.userId));
        if (!isAccountActive(user))
          throw new AdminError("admin.accountBanned", `The account of ${user.userName} is banned.`);
        await recordAct(tx, act);
        await tx.setAdmin(user.id, true);
        // With an administrator there must be no other way to become one.
        await tx.setSetupHash(null);
      });
      roleChanged(body.userId);
      return null;
    },

    async revokeAdmin(act, { body }) {
      await store.write(async (tx) => {
        const user = requireOpen(await tx.findUser(body.userId));
        await requireOtherAdmin(tx, user.id);
        await recordAct(tx, act);
        await tx.setAdmin(user.id, false);
      });
      roleChanged(body.userId);
      return null;
    },
  } satisfies Partial<AccountAdminHandlers>;
}

function createInviteCodeAdmin({ store }: AccountAdminDeps) {
  const target = (code: string) =>
    ({ kind: "inviteCode", id: null, name: `${code.slice(0, CODE_SHOWN)}…` }) as const;
  return {
    async listInviteCodes(_act, { query }) {
      const { total, rows } = await store.listInviteCodes(pageOptions(query));
      return {
        total,
        rows: rows.map(({ code, usesLeft, expiresAt }) => ({ code, usesLeft, expiresTime: expiresAt })),
      };
    },

    async createInviteCode(act, { body }) {
      const code = randomText(INVITE_CODE_LENGTH);
      await store.write(async (tx) => {
        await recordAct(tx, act, target(code));
        await tx.insertInviteCode(code, body.uses, body.days == null ? null : act.at + body.days * DAY_MS);
      });
      return { code };
    },

    async deleteInviteCode(act, { body }) {
      await store.write(async (tx) => {
        if (!(await tx.deleteInviteCode(body.code)))
          throw new AdminError("admin.inviteCodeUnknown", "There is no such invite code.");
        await recordAct(tx, act, target(body.code));
      });
      return null;
    },
  } satisfies Partial<AccountAdminHandlers>;
}
