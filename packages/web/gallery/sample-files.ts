import { MessageType } from "@parley/protocol/codes";
import type { FoundMessage, MediaKind, SearchPage } from "@parley/core/search/search-query";
import { toChatMessage } from "@parley/core/model/chats/chat-rows";
import type { ChatKey, Result } from "@parley/core/model/state";
import { FRIEND_CHAT, ME, privateRow } from "@parley/core/testing/builders";

/** The name of a file that cannot be shown. */
export const BROKEN = "broken";

/** A picture of a landscape, in a colour that depends on its name. */
function drawing(name: string): string {
  const hue = [...name].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 360, 7);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200" width="300" height="200" preserveAspectRatio="xMidYMid slice"><rect width="300" height="200" fill="hsl(${hue} 45% 72%)"/><circle cx="225" cy="55" r="26" fill="hsl(${hue} 80% 92%)"/><path d="M0 200 90 80l60 80 50-55 100 95z" fill="hsl(${hue} 40% 38%)"/></svg>`;
}

/** What the gallery shows for a file of the server: a drawing, or something that is no picture. */
export function sampleFileUrl(path: string): string {
  if (!path.startsWith("/files/")) return path;
  if (path.includes(BROKEN)) return "data:image/png;base64,AAAA";
  return `data:image/svg+xml,${encodeURIComponent(drawing(path))}`;
}

/** What the person of the gallery sends. */
export const SAMPLE_PICTURE = new Blob([drawing("mine")], { type: "image/svg+xml" });

const DAY_MS = 86_400_000;

function found(id: number, type: number, content: string): FoundMessage {
  const row = privateRow({ id, type, content, sendTime: Date.now() - id * 3 * DAY_MS });
  return { key: FRIEND_CHAT, message: toChatMessage(row, ME) };
}

const json = (content: object) => JSON.stringify(content);

const HITS: Readonly<Record<MediaKind, readonly FoundMessage[]>> = {
  pictures: Array.from({ length: 17 }, (_, id) => {
    const size = { width: 300, height: 200 };
    const name = id === 4 ? BROKEN : `picture${id}`;
    const [url, cover] = [`/files/a/${name}.png`, `/files/a/${name}-small.webp`];
    return id % 6 === 1
      ? found(id, MessageType.VIDEO, json({ videoUrl: url, coverUrl: cover, ...size, duration: 75 }))
      : found(id, MessageType.IMAGE, json({ originUrl: url, thumbUrl: cover, ...size }));
  }),
  files: [
    "青瓦_验收清单_v6.xlsx",
    "a very long name of a file that does not fit into the panel.pdf",
    "notes.zip",
  ].map((name, id) =>
    found(id, MessageType.FILE, json({ name, size: 88_310 * (id + 1), url: "/files/a/file.bin" })),
  ),
  links: [
    found(
      1,
      MessageType.TEXT,
      "看看 https://example.com/a/very/long/path?with=query 和 https://example.org/",
    ),
  ],
};

/** What a chat of the gallery has. The chat of a group has nothing, and page two of the files fails. */
export async function listSampleMedia(
  key: ChatKey,
  kind: MediaKind,
  next: string | null,
): Promise<Result<SearchPage>> {
  if (next !== null) return { ok: false, failure: { kind: "network", reason: "offline" } };
  const hits = key === FRIEND_CHAT ? HITS[kind] : [];
  return {
    ok: true,
    value: { hits, total: hits.length, next: kind === "files" && hits.length > 0 ? "2" : null },
  };
}
