/** Notices of an administrator: a row in the system chat of each receiver, and one body that all rows share. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import { NOTICE_TITLE_MAX } from "@parley/protocol/limits";
import { isVisible, isWellFormed } from "@parley/protocol/text";
import { type AuditTx, pageOptions, recordAct } from "../../access/administration.ts";
import { type Delivery, frameOf } from "../../delivery/delivery.ts";
import type { Act, AdminHandlers } from "../../api/admin-act.ts";
import { AdminError } from "../../api/admin-error.ts";
import { ApiError } from "../../api/api-error.ts";
import type { Handlers } from "../../api/api-call.ts";
import type { AdminReads } from "../../ports/admin-store.ts";
import type { NewNoticeRow, NoticeReads, NoticeRow, NoticeWrites } from "../../ports/notice-store.ts";
import type { AccountReads } from "../../ports/account-store.ts";
import type { Transactions } from "../../ports/store.ts";
import type { SystemMessageReads, SystemMessageWrites, SystemRow } from "../../ports/system-message-store.ts";
import { systemMessage } from "../../presenters/message-presenter.ts";
import { htmlOfText, plainTextOf, sanitizeNotice, webLink } from "./notice-html.ts";

type NoticesTx = AccountReads & SystemMessageWrites & NoticeReads & NoticeWrites & AuditTx;
type NoticesStore = AccountReads &
  SystemMessageReads &
  NoticeReads &
  Pick<AdminReads, "listNotices"> &
  Transactions<NoticesTx>;

export interface NoticesDeps {
  store: NoticesStore;
  delivery: Pick<Delivery, "toUsers" | "webPush">;
  /** Takes over work that nobody waits for. */
  inBackground(work: Promise<void>): void;
}

/** A notice as an administrator writes it. At least one of text, html and link; text and html exclude each other. */
export interface NewNotice {
  title: string;
  text: string | null;
  html: string | null;
  /** The page that people open instead of a text. */
  link: string | null;
  /** The user names of the receivers; null for everybody who is registered now. */
  to: readonly string[] | null;
}

/** Publishes the notices of an administrator. */
export interface Notices {
  /**
   * Stores the notice and sends it; `sent` resolves with the number of receivers when everybody has it. Throws an `AdminError` if the notice is
   * not valid.
   */
  publish(act: Act, input: NewNotice): Promise<{ id: number; sent: Promise<number> }>;
  handlers: Pick<AdminHandlers, "previewNotice" | "publishNotice" | "listNotices">;
  /** Finishes the notices that a stop of the server has interrupted. */
  resume(): Promise<void>;
}

const INTRO_MAX = 100;
/** Receivers in one commit: few enough that messages of others do not wait long. */
const BATCH = 100;

export function createNotices({ store, delivery, inBackground }: NoticesDeps): Notices {
  const append = (tx: NoticesTx, userId: number, notice: NoticeRow): Promise<SystemRow> =>
    tx.appendSystem({
      userId,
      type: MessageType.SYSTEM_MESSAGE,
      title: notice.title,
      intro: notice.intro,
      content: "",
      sendTime: notice.createdAt,
      noticeId: notice.id,
    });

  const publishRows = (rows: readonly SystemRow[]): void => {
    for (const row of rows) {
      const message = systemMessage(row, -1);
      delivery.toUsers([row.userId], frameOf(Cmd.SYSTEM, message));
      delivery.webPush.systemMessageStored(row.userId, message);
    }
  };

  const sendToUsers = async (
    act: Act,
    notice: NewNoticeRow,
    userIds: readonly number[],
  ): Promise<{ id: number; sent: Promise<number> }> => {
    const { id, rows } = await store.write(async (tx) => {
      const stored = await tx.insertNotice(notice);
      await recordAct(tx, act, targetOf(stored));
      const appended: SystemRow[] = [];
      for (const userId of userIds) appended.push(await append(tx, userId, stored));
      await tx.addNoticeReceivers(stored.id, appended.length);
      return { id: stored.id, rows: appended };
    });
    publishRows(rows);
    return { id, sent: Promise.resolve(rows.length) };
  };

  /** Each batch is one commit together with the mark of how far it came, so nobody gets the notice twice or is left out. */
  const sendToAll = async (notice: NoticeRow): Promise<number> => {
    let count = 0;
    for (let reached = notice.reachedUserId; reached < notice.lastUserId;) {
      const batch = await store.write(async (tx) => {
        // Another node may be sending it as well.
        const after = (await tx.findNotice(notice.id))?.reachedUserId ?? notice.lastUserId;
        if (after >= notice.lastUserId) return { rows: [], upTo: after };
        const users = (await tx.listUsers(after, BATCH)).filter((user) => user.id <= notice.lastUserId);
        const upTo = users.at(-1)?.id ?? notice.lastUserId;
        const rows: SystemRow[] = [];
        for (const user of users) {
          if (user.unregisteredAt === null) rows.push(await append(tx, user.id, notice));
        }
        await tx.addNoticeReceivers(notice.id, rows.length);
        await tx.setNoticeReached(notice.id, upTo);
        return { rows, upTo };
      });
      publishRows(batch.rows);
      count += batch.rows.length;
      reached = batch.upTo;
    }
    return count;
  };

  const publish: Notices["publish"] = async (act, input) => {
    const notice = { ...(await bodyOf(input)), createdAt: act.at, reachedUserId: 0, lastUserId: 0 };
    if (input.to !== null) return sendToUsers(act, notice, await idsOf(store, input.to));
    const stored = await store.write(async (tx) => {
      const inserted = await tx.insertNotice({ ...notice, lastUserId: await tx.newestUserId() });
      await recordAct(tx, act, targetOf(inserted));
      return inserted;
    });
    return { id: stored.id, sent: sendToAll(stored) };
  };

  return {
    publish,
    handlers: {
      async previewNotice(_act, { body }) {
        return bodyOf(noticeOf(body));
      },
      async publishNotice(act, { body }) {
        const { id, sent } = await publish(act, { ...noticeOf(body), to: body.to });
        inBackground(sent.then(() => undefined));
        return { id };
      },
      async listNotices(_act, { query }) {
        const { total, rows } = await store.listNotices(pageOptions(query));
        return {
          total,
          rows: rows.map((row) => ({
            id: row.id,
            title: row.title,
            intro: row.intro,
            richText: row.richText,
            externLink: row.externLink,
            createdTime: row.createdAt,
            isForAll: row.lastUserId > 0,
            isSending: row.reachedUserId < row.lastUserId,
            receivedCount: row.receivedCount,
            readCount: row.readCount,
          })),
        };
      },
    },

    async resume() {
      for (const notice of await store.listUnfinishedNotices()) await sendToAll(notice);
    },
  };
}

function noticeOf(body: {
  title: string;
  text?: string | null | undefined;
  html?: string | null | undefined;
  link?: string | null | undefined;
}): Omit<NewNotice, "to"> {
  return { title: body.title, text: body.text ?? null, html: body.html ?? null, link: body.link ?? null };
}

function targetOf({ id, title }: NoticeRow): Act["target"] {
  return { kind: "notice", id, name: title };
}

/** The handler that answers the body of a notice. */
export function createNoticeHandlers({ store }: { store: NoticesStore }): Pick<Handlers, "systemContent"> {
  return {
    async systemContent({ actor, query }) {
      const row = await store.findSystem(query.id);
      if (row === undefined || row.userId !== actor.userId || row.noticeId === null) {
        throw new ApiError("message.notFound");
      }
      const notice = await store.findNotice(row.noticeId);
      if (notice === undefined) throw new ApiError("message.notFound");
      const { richText, externLink } = notice;
      return { id: row.id, contentType: externLink === null ? 0 : 1, richText, externLink };
    },
  };
}

function malformed(field: string, sentence: string): AdminError {
  return new AdminError("request.malformed", sentence, { field, problem: sentence });
}

async function idsOf(store: AccountReads, names: readonly string[]): Promise<number[]> {
  const ids = new Set<number>();
  const unknown: string[] = [];
  for (const name of names) {
    const user = await store.findUserByName(name);
    if (user === undefined || user.unregisteredAt !== null) unknown.push(name);
    else ids.add(user.id);
  }
  if (unknown.length > 0) {
    const names = unknown.join(", ");
    throw new AdminError("admin.noticeReceivers", `Nobody has the user name ${names}.`, { names });
  }
  if (ids.size === 0) throw malformed("to", "The notice is for nobody.");
  return [...ids];
}

async function bodyOf(
  input: Omit<NewNotice, "to">,
): Promise<Pick<NoticeRow, "title" | "intro" | "richText" | "externLink">> {
  const title = input.title.trim();
  const body = input.html ?? input.text ?? "";
  if (!isVisible(title)) throw malformed("title", "A notice needs a title.");
  if ([...title].length > NOTICE_TITLE_MAX)
    throw malformed("title", `The title must not be longer than ${NOTICE_TITLE_MAX} characters.`);
  if (!isWellFormed(title) || !isWellFormed(body)) throw malformed("text", "The text is no whole Unicode.");
  const externLink = input.link === null ? null : webLink(input.link);
  if (externLink === undefined)
    throw new AdminError(
      "admin.noticeLink",
      `${input.link} is no link that starts with http:// or https://.`,
    );
  const richText = await sanitizeNotice(input.html ?? htmlOfText(body));
  const text = plainTextOf(richText);
  if (!isVisible(text) && externLink === null)
    throw new AdminError("admin.noticeEmpty", "A notice needs a text or a link.");
  return { title, intro: shorten(text), richText: richText === "" ? null : richText, externLink };
}

function shorten(text: string): string {
  const characters = [...text];
  return characters.length <= INTRO_MAX ? text : `${characters.slice(0, INTRO_MAX).join("")}…`;
}
