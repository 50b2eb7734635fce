/** Notices of an administrator: a row in the system chat of each receiver, and one body that all rows share. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import { isWellFormed } from "@parley/protocol/text";
import { type Delivery, frameOf } from "../../delivery.ts";
import { AdminError } from "../../api/admin-error.ts";
import { ApiError } from "../../api/api-error.ts";
import type { Handlers } from "../../api/api-call.ts";
import type { NoticeReads, NoticeRow, NoticeWrites } from "../../ports/notice-store.ts";
import type { AccountReads } from "../../ports/account-store.ts";
import type { Transactions } from "../../ports/store.ts";
import type { SystemMessageReads, SystemMessageWrites, SystemRow } from "../../ports/system-message-store.ts";
import { systemMessage } from "../../presenters/message-presenter.ts";
import { htmlOfText, plainTextOf, sanitizeNotice, webLink } from "./notice-html.ts";

type NoticesTx = AccountReads & SystemMessageWrites & NoticeReads & NoticeWrites;
type NoticesStore = AccountReads & SystemMessageReads & NoticeReads & Transactions<NoticesTx>;

export interface NoticesDeps {
  store: NoticesStore;
  delivery: Pick<Delivery, "toUsers" | "closedPages">;
  now(): number;
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
  /** Returns the number of receivers. Throws an `AdminError` if the notice is not valid. */
  publish(input: NewNotice): Promise<number>;
  /** Finishes the notices that a stop of the server has interrupted. */
  resume(): Promise<void>;
}

const TITLE_MAX = 100;
const BODY_MAX = 100_000;
const INTRO_MAX = 100;
/** Receivers in one commit: few enough that messages of others do not wait long. */
const BATCH = 100;

export function createNotices({ store, delivery, now }: NoticesDeps): Notices {
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
      delivery.closedPages.systemMessageStored(row.userId, message);
    }
  };

  const sendToUsers = async (notice: Omit<NoticeRow, "id">, userIds: readonly number[]): Promise<number> => {
    const rows = await store.write(async (tx) => {
      const stored = await tx.insertNotice(notice);
      const appended: SystemRow[] = [];
      for (const userId of userIds) appended.push(await append(tx, userId, stored));
      return appended;
    });
    publishRows(rows);
    return rows.length;
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
        await tx.setNoticeReached(notice.id, upTo);
        return { rows, upTo };
      });
      publishRows(batch.rows);
      count += batch.rows.length;
      reached = batch.upTo;
    }
    return count;
  };

  return {
    async publish(input) {
      const notice = { ...(await bodyOf(input)), createdAt: now(), reachedUserId: 0, lastUserId: 0 };
      if (input.to !== null) return sendToUsers(notice, await idsOf(store, input.to));
      const stored = await store.write(async (tx) =>
        tx.insertNotice({ ...notice, lastUserId: await tx.newestUserId() }),
      );
      return sendToAll(stored);
    },

    async resume() {
      for (const notice of await store.listUnfinishedNotices()) await sendToAll(notice);
    },
  };
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

async function idsOf(store: AccountReads, names: readonly string[]): Promise<number[]> {
  const ids = new Set<number>();
  const unknown: string[] = [];
  for (const name of names) {
    const user = await store.findUserByName(name);
    if (user === undefined || user.unregisteredAt !== null) unknown.push(name);
    else ids.add(user.id);
  }
  if (unknown.length > 0) throw new AdminError(`Nobody has the user name ${unknown.join(", ")}.`);
  if (ids.size === 0) throw new AdminError("The notice is for nobody.");
  return [...ids];
}

async function bodyOf(
  input: NewNotice,
): Promise<Pick<NoticeRow, "title" | "intro" | "richText" | "externLink">> {
  const title = input.title.trim();
  const body = input.html ?? input.text ?? "";
  if (title === "") throw new AdminError("A notice needs a title.");
  if ([...title].length > TITLE_MAX)
    throw new AdminError(`The title must not be longer than ${TITLE_MAX} characters.`);
  if (body.length > BODY_MAX)
    throw new AdminError(`The text must not be longer than ${BODY_MAX} characters.`);
  if (!isWellFormed(title) || !isWellFormed(body)) throw new AdminError("The text is no whole Unicode.");
  const externLink = input.link === null ? null : webLink(input.link);
  if (externLink === undefined)
    throw new AdminError(`${input.link} is no link that starts with http:// or https://.`);
  const richText = await sanitizeNotice(input.html ?? htmlOfText(body));
  const text = plainTextOf(richText);
  if (text === "" && externLink === null) throw new AdminError("A notice needs a text or a link.");
  return { title, intro: shorten(text), richText: richText === "" ? null : richText, externLink };
}

function shorten(text: string): string {
  const characters = [...text];
  return characters.length <= INTRO_MAX ? text : `${characters.slice(0, INTRO_MAX).join("")}…`;
}
