import type { Endpoint } from "../endpoint.ts";
import * as account from "./account.ts";
import * as adminGroups from "./admin-groups.ts";
import * as adminInviteCodes from "./admin-invite-codes.ts";
import * as adminNotices from "./admin-notices.ts";
import * as adminPeople from "./admin-people.ts";
import * as adminServer from "./admin-server.ts";
import * as calls from "./calls.ts";
import * as changes from "./changes.ts";
import * as chatPrefs from "./chat-prefs.ts";
import * as contacts from "./contacts.ts";
import * as exportOfData from "./export.ts";
import * as firstChats from "./first-chats.ts";
import * as groupCalls from "./group-calls.ts";
import * as groupMessages from "./group-messages.ts";
import * as groups from "./groups.ts";
import * as messageExtras from "./message-extras.ts";
import * as messages from "./messages.ts";
import * as privateCalls from "./private-calls.ts";
import * as reports from "./reports.ts";
import * as savedMessages from "./saved-messages.ts";
import * as search from "./search.ts";
import * as typing from "./typing.ts";
import * as uploads from "./uploads.ts";
import * as users from "./users.ts";
import * as webPush from "./web-push.ts";

const EXPORTS = {
  ...account,
  ...users,
  ...exportOfData,
  ...changes,
  ...firstChats,
  ...contacts,
  ...groups,
  ...messages,
  ...groupMessages,
  ...messageExtras,
  ...typing,
  ...chatPrefs,
  ...savedMessages,
  ...search,
  ...uploads,
  ...reports,
  ...calls,
  ...privateCalls,
  ...groupCalls,
  ...webPush,
  ...adminPeople,
  ...adminGroups,
  ...adminInviteCodes,
  ...adminNotices,
  ...adminServer,
};

type EndpointsOf<Exports> = {
  readonly [Name in keyof Exports as Exports[Name] extends Endpoint ? Name : never]: Exports[Name];
};

function isEndpoint(entry: [string, unknown]): entry is [string, Endpoint] {
  const [, value] = entry;
  return typeof value === "object" && value !== null && "answer" in value && "path" in value;
}

const orderOf = ({ path, method }: Endpoint): string => `${path} ${method}`;

/**
 * Every endpoint by the name under which its module exports it, in the order of their paths. A server without a handler for one of them does
 * not compile.
 */
export const ENDPOINTS = Object.fromEntries(
  Object.entries<unknown>(EXPORTS)
    .filter(isEndpoint)
    .toSorted(([, a], [, b]) => (orderOf(a) < orderOf(b) ? -1 : 1)),
) as unknown as EndpointsOf<typeof EXPORTS>;

export type EndpointName = keyof typeof ENDPOINTS;
