import type { Kysely } from "kysely";
import type { NewPrivateMessage, PrivateRow } from "../../ports/store.ts";
import type { Appended } from "../../ports/stored.ts";
import type { ChatWrites } from "./chats.ts";
import type { Engine } from "./engine.ts";
import { messageReads, type MessageReads } from "./messages.ts";
import { template } from "./prepared.ts";
import type { Tables } from "./tables.ts";
import { timeLine } from "./time-line.ts";

/** Pairs of people whose chat number is remembered. */
const CHATS_MAX = 65_536;

const JSON_OR_NULL = (value: object | null) => (value === null ? null : JSON.stringify(value));

function insertion(db: Kysely<Tables>) {
  return template(
    (
      id: number,
      chatId: number,
      tmpId: string | null,
      type: number,
      sendId: number,
      recvId: number,
      sendNickName: string,
      content: string,
      sendTime: number,
      tip: string | null,
      act: string | null,
      onlyFor: number | null,
      quoteId: number | null,
    ) =>
      db
        .insertInto("privateMessage")
        .values({
          id,
          chatId,
          tmpId,
          type,
          sendId,
          recvId,
          sendNickName,
          content,
          sendTime,
          tip,
          act,
          onlyFor,
          quoteId,
        })
        .onConflict((conflict) => conflict.doNothing()),
  );
}

/**
 * Appends private messages inside the writer's transaction. Ids are counted here, under the writers' lock.
 * What it remembers of the database is right because no other process writes; `forget` must be called after
 * anything was undone.
 */
export class PrivateAppender {
  readonly #engine: Engine;
  readonly #openChat: ChatWrites["openChat"];
  readonly #insertion: ReturnType<typeof insertion>;
  readonly #newestUpTo: ReturnType<typeof timeLine>["newestUpTo"];
  readonly #findByTmpId: MessageReads["findPrivateByTmpId"];
  readonly #chats = new Map<string, number>();
  #head: { id: number; sendTime: number } | undefined;

  constructor(engine: Engine, db: Kysely<Tables>, openChat: ChatWrites["openChat"]) {
    this.#engine = engine;
    this.#openChat = openChat;
    this.#insertion = insertion(db);
    this.#newestUpTo = timeLine(db).newestUpTo;
    this.#findByTmpId = messageReads(db).findPrivateByTmpId;
  }

  /** Appends in order; the result at each place is the row, or the error that kept this one out. */
  async append(messages: readonly NewPrivateMessage[]): Promise<(Appended<PrivateRow> | Error)[]> {
    const head = (this.#head ??= (await this.#newestUpTo(Number.MAX_SAFE_INTEGER)) ?? { id: 0, sendTime: 0 });
    const rows: PrivateRow[] = [];
    const values: unknown[][] = [];
    for (const message of messages) {
      const known = this.#chats.get(`${message.sendId}:${message.recvId}`);
      const chatId = known ?? (await this.#learnChat(message.sendId, message.recvId));
      head.id += 1;
      head.sendTime = Math.max(head.sendTime, message.sendTime);
      const row = {
        ...message,
        ...head,
        tip: message.tip ?? null,
        act: message.act ?? null,
        onlyFor: message.onlyFor ?? null,
        quote: message.quote ?? null,
        editedAt: null,
        noticeId: null,
      };
      rows.push(row);
      values.push(
        this.#insertion.bind([
          row.id,
          chatId,
          row.tmpId,
          row.type,
          row.sendId,
          row.recvId,
          row.sendNickName,
          row.content,
          row.sendTime,
          JSON_OR_NULL(row.tip),
          JSON_OR_NULL(row.act),
          row.onlyFor,
          row.quote?.id ?? null,
        ]),
      );
    }
    const changes = await this.#engine.runEach(this.#insertion.sql, values);
    const results: (Appended<PrivateRow> | Error)[] = [];
    for (const [index, row] of rows.entries()) {
      const changed = changes[index];
      if (changed === 1) results.push({ row, isNew: true });
      else results.push(changed instanceof Error ? changed : await this.#knownRow(row));
    }
    return results;
  }

  /** Drops what was learnt in a transaction that was undone. Ids already counted are not given again. */
  forget(): void {
    this.#chats.clear();
  }

  async #learnChat(sendId: number, recvId: number): Promise<number> {
    const chatId = await this.#openChat(sendId, recvId);
    if (this.#chats.size >= CHATS_MAX) this.#chats.clear();
    this.#chats.set(`${sendId}:${recvId}`, chatId);
    return chatId;
  }

  /** The row that was there before: only (sendId, tmpId) can have kept a new id out. */
  async #knownRow({ sendId, tmpId }: PrivateRow): Promise<Appended<PrivateRow> | Error> {
    const row = tmpId === null ? undefined : await this.#findByTmpId(sendId, tmpId);
    return row === undefined
      ? new Error("a message was kept out of the store, and no earlier one is there")
      : { row, isNew: false };
  }
}
