import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { PASSWORD } from "./api.ts";

const FILL_SCRIPT = fileURLToPath(new URL("../../server/src/testing/fill-conversations.ts", import.meta.url));

/** Long conversations that a store begins with, far more than could be sent. */
export interface Conversations {
  readonly people: readonly { readonly userName: string; readonly nickName: string }[];
  /** By turns, one message each `everyMs` until now, of which the last `unread` are not read. Texts are "No 7" and more, of many heights. */
  readonly conversations: readonly {
    readonly between: readonly [number, number];
    readonly count: number;
    readonly everyMs: number;
    readonly unread: number;
  }[];
  /** Groups of these people; the first one owns it. */
  readonly groups?: readonly { readonly name: string; readonly members: readonly number[] }[];
}

/** Of different heights, so that a wrong guess of a height shows. */
const TEXTS = Array.from({ length: 23 }, (_, index) => "说了很多话 ".repeat(1 + ((index * 7) % 23)).trim());

/** Fills an empty data folder before its server starts. */
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
        talks: conversations.map((talk) => ({ ...talk, texts: TEXTS })),
        groups,
      }),
    );
  });
}
