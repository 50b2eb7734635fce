import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { PASSWORD } from "./api.ts";

const FILL_SCRIPT = fileURLToPath(new URL("../../server/src/testing/fill-conversations.ts", import.meta.url));

/** Conversations that a store contains before its server starts: more messages than a test could send. */
export interface Conversations {
  readonly people: readonly { readonly userName: string; readonly nickName: string }[];
  /**
   * The two users write by turns, one message each `everyMs` until now. The last `unread` are not read. Texts are "No 7" and more words, of
   * different heights.
   */
  readonly conversations: readonly {
    readonly between: readonly [number, number];
    readonly count: number;
    readonly everyMs: number;
    readonly unread: number;
  }[];
  /** Groups of these people. The first member owns the group. */
  readonly groups?: readonly { readonly name: string; readonly members: readonly number[] }[];
}

/** Texts of different heights, so that a wrong estimate of a height shows. */
const TEXTS = Array.from({ length: 23 }, (_, index) => "说了很多话 ".repeat(1 + ((index * 7) % 23)).trim());

/** Fills an empty data folder. Call it before the server starts. */
export async function fillConversations(
  dataDir: string,
  { people, conversations, groups = [] }: Conversations,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = execFile(process.execPath, [FILL_SCRIPT, dataDir], (error) =>
      error === null ? resolve() : reject(error),
    );
    child.stdin?.end(
      JSON.stringify({
        password: PASSWORD,
        people,
        talks: conversations.map((conversation) => ({ ...conversation, texts: TEXTS })),
        groups,
      }),
    );
  });
}
