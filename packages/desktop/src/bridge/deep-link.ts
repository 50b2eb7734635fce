import * as z from "zod/mini";

/** The scheme of links that open the desktop application. */
export const LINK_SCHEME = "parley";

const ADDRESS_MAX = 300;

/** What a link opens: a chat, or the choice of the server with an address filled in. */
export const deepLink = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("chat"),
    chat: z.enum(["private", "group"]),
    id: z.int().check(z.positive()),
  }),
  z.object({
    kind: z.literal("server"),
    address: z.string().check(z.minLength(1), z.maxLength(ADDRESS_MAX)),
  }),
]);
export type DeepLink = z.infer<typeof deepLink>;

/**
 * Reads `parley://chat/private/12`, `parley://chat/group/3` or `parley://server/im.example.org`. Null: another text, because anybody may
 * write a link.
 */
export function parseDeepLink(text: string): DeepLink | null {
  const [, host, path] = /^parley:\/\/([a-z]+)\/([^?#]*)$/i.exec(text) ?? [];
  if (host === undefined || path === undefined) return null;
  const parts = path.replace(/\/$/, "").split("/");
  const candidate =
    host.toLowerCase() === "chat" && parts.length === 2 && /^[1-9]\d{0,15}$/.test(parts[1] ?? "")
      ? { kind: "chat", chat: parts[0], id: Number(parts[1]) }
      : host.toLowerCase() === "server" && parts.length === 1 && /^[\w.:[\]-]+$/.test(parts[0] ?? "")
        ? { kind: "server", address: parts[0] }
        : null;
  const parsed = deepLink.safeParse(candidate);
  return parsed.success ? parsed.data : null;
}
