/** Which fields of an endpoint are ids, and what they name: read from its definition. */
import type { Endpoint } from "@parley/protocol/endpoint";
import { type Shape, shapeOf } from "./shape-of.ts";

/** What an id of the API can name. */
export type Thing =
  | "group"
  | "person"
  | "privateMessage"
  | "groupMessage"
  | "notice"
  | "groupRequest"
  | "friendRequest";

/** An id of each thing. */
export type Ids = Readonly<Record<Thing, number>>;

/** A field of a call that is an id, a list of ids or a position. */
export interface IdField {
  name: string;
  isRequired: boolean;
  isList: boolean;
  /** What it names; more than one thing if neither its name nor the path says which. */
  things: readonly [Thing, ...Thing[]];
}

type Things = IdField["things"];

/** Notices have a sequence of ids of their own, and calls of their own. */
const MESSAGES: Things = ["privateMessage", "groupMessage"];
const ALL_THINGS: Things = ["group", "person", "groupRequest", "friendRequest", ...MESSAGES, "notice"];

/** What the fields of a name are, whatever the path. */
const THINGS_OF_NAMES: readonly [name: RegExp, things: Things][] = [
  [/^groupIds?$/, ["group"]],
  [/^(uid|(recv|send|friend|user|member|atUser)Ids?)$/, ["person"]],
  [/^targetId$/, ["group", "person"]],
  [/^privateMessageIds?$/, ["privateMessage"]],
  [/^groupMessageIds?$/, ["groupMessage"]],
];

/** What the other ids of the calls below a path name, the most special path first. */
const THINGS_OF_PATHS: readonly [path: string, thing: Thing][] = [
  ["/friend/request/", "friendRequest"],
  ["/group/request/", "groupRequest"],
  ["/message/private/", "privateMessage"],
  ["/message/group/", "groupMessage"],
  ["/message/system/", "notice"],
  ["/group/", "group"],
  ["/friend/", "person"],
  ["/user/", "person"],
];

/** Ids that a client makes for itself: they name nothing of other people. */
const MADE_BY_CLIENTS: readonly string[] = ["tmpId", "clientId"];

function isList({ type, anyOf = [] }: Shape): boolean {
  return type === "array" || anyOf.some(isList);
}

function thingsOf(path: string, name: string, names: readonly string[]): Things {
  const byName = THINGS_OF_NAMES.find(([pattern]) => pattern.test(name));
  if (byName !== undefined) return byName[1];
  const byPath = THINGS_OF_PATHS.find(([start]) => path.startsWith(start))?.[1];
  if (!/messageIds?$/i.test(name))
    return byPath !== undefined ? [byPath] : path.startsWith("/message/") ? MESSAGES : ALL_THINGS;
  if (byPath !== undefined && MESSAGES.includes(byPath)) return [byPath];
  if (byPath === "group" || names.includes("groupId")) return ["groupMessage"];
  return names.includes("friendId") ? ["privateMessage"] : MESSAGES;
}

/** The fields of an endpoint that are ids or positions. */
export function idFieldsOf({ path, params, query, body }: Endpoint): IdField[] {
  return [params, query, body].flatMap((schema) => {
    const { properties = {}, required = [] } = schema === undefined ? {} : shapeOf(schema);
    const names = Object.keys(properties);
    return Object.entries(properties)
      .filter(([name]) => /^u?id$|^ids$|Ids?$|SeqNo$/.test(name) && !MADE_BY_CLIENTS.includes(name))
      .map(([name, shape]) => ({
        name,
        isRequired: required.includes(name),
        isList: isList(shape),
        things: thingsOf(path, name, names),
      }));
  });
}

/** The value of an id field that names this thing. */
export function idOf({ isList }: IdField, thing: Thing, ids: Ids): number | [number] {
  return isList ? [ids[thing]] : ids[thing];
}
