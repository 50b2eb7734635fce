/** A node: gateway, delivery and use cases, built out of adapters. The server and the simulation build the same node. */
import type { JoinMode } from "@parley/protocol/codes";
import type { SystemConfig } from "@parley/protocol/entities";
import type { AdminEndpointName } from "../api/admin-act.ts";
import type { Handlers } from "../api/api-call.ts";
import type { Language } from "../api/language.ts";
import { type Delivery, createDelivery } from "../delivery/delivery.ts";
import { type Gateway, type GatewayOptions, createGateway } from "../gateway/gateway.ts";
import {
  type AccountStatus,
  type AccountStatusDeps,
  createAccountStatus,
  createUnregister,
} from "../modules/account/account-status.ts";
import { createFirstAdmin } from "../modules/account/first-admin.ts";
import { createLogin } from "../modules/account/login.ts";
import { createOpenSession } from "../modules/account/open-session.ts";
import { TEXT_MAX } from "@parley/protocol/limits";
import type { PasswordHasher } from "../modules/account/password-hasher.ts";
import { createProfile } from "../modules/account/profile.ts";
import { createRefreshToken } from "../modules/account/refresh-token.ts";
import { type RegisterDeps, createRegister } from "../modules/account/register.ts";
import { type SessionCache, createSessionCache } from "../modules/account/session-cache.ts";
import { createSessions } from "../modules/account/sessions.ts";
import { createSettings } from "../modules/account/settings.ts";
import type { Tokens } from "../modules/account/tokens.ts";
import { hasOtherClient } from "../modules/calls/call-clients.ts";
import { type Calls, createCalls } from "../modules/calls/calls.ts";
import { createIceServers } from "../modules/calls/ice-servers.ts";
import { createBlacklist } from "../modules/contacts/blacklist.ts";
import { createDeleteAccountContacts } from "../modules/contacts/delete-account-contacts.ts";
import { createFriendRequests } from "../modules/contacts/friend-requests.ts";
import { createEndFriendLevels } from "../modules/contacts/end-friend-levels.ts";
import { createFriends } from "../modules/contacts/friends.ts";
import { createDeleteAccountMemberships } from "../modules/groups/delete-account-memberships.ts";
import { createGroupLifetime } from "../modules/groups/group-lifetime.ts";
import { createGroupPreferences } from "../modules/groups/group-preferences.ts";
import { createGroupQueries } from "../modules/groups/group-queries.ts";
import { createGroupRequests } from "../modules/groups/group-requests.ts";
import { createManageMembers } from "../modules/groups/manage-members.ts";
import { createEndMemberLevels } from "../modules/groups/end-member-levels.ts";
import { createNotifyGroup } from "../modules/groups/notify-group.ts";
import { createRemoveMembers } from "../modules/groups/remove-members.ts";
import { createUpdateGroup } from "../modules/groups/update-group.ts";
import type { ChatStrategies } from "../modules/messages/chat-strategy.ts";
import { createChatHistory } from "../modules/messages/chat-history.ts";
import { createFirstChats } from "../modules/messages/first-chats.ts";
import { createChatPrefs } from "../modules/messages/chat-prefs.ts";
import { createDeleteForMe } from "../modules/messages/delete-for-me.ts";
import { createFriendshipCache } from "../modules/messages/friendship-cache.ts";
import { createGroupCache } from "../modules/messages/group-cache.ts";
import { createGroupChats } from "../modules/messages/group-chats.ts";
import { createMissedPushes } from "../modules/messages/missed-pushes.ts";
import { createPrivateChats } from "../modules/messages/private-chats.ts";
import { type PullMessages, createPullMessages } from "../modules/messages/pull-messages.ts";
import { type ChangeExtra, createChangeExtra } from "../modules/messages/change-extra.ts";
import { createPins } from "../modules/messages/pins.ts";
import { type Polls, createPolls } from "../modules/messages/polls.ts";
import { createPublishExtra } from "../modules/messages/publish-extra.ts";
import { createReactions } from "../modules/messages/reactions.ts";
import { createReadMessages } from "../modules/messages/read-messages.ts";
import { createRecallMessage } from "../modules/messages/recall-message.ts";
import { createTyping } from "../modules/messages/typing.ts";
import { createSavedMessages } from "../modules/messages/saved-messages.ts";
import { createSearchMessages } from "../modules/messages/search-messages.ts";
import { createSendMessage } from "../modules/messages/send-message.ts";
import { createNoticeHandlers } from "../modules/notices/notices.ts";
import { createReports } from "../modules/reports/reports.ts";
import { createClusterQueries } from "./cluster-queries.ts";
import { type WebPushService, createWebPush } from "../modules/web-push/web-push.ts";
import type { Bus } from "../ports/bus.ts";
import type { PassFailpoint } from "../ports/failpoints.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Presence } from "../ports/presence.ts";
import type { RateLimiter } from "../ports/rate-limiter.ts";
import type { Store, Tx } from "../ports/store.ts";
import type { WebPushSender } from "../ports/web-push.ts";

/** What the operator decides. */
export interface NodeSettings {
  /** The language of stored tips. */
  defaultLanguage: Language;
  /** Whether people reach the server over https, even if a proxy ends TLS. */
  isHttps: boolean;
  registration: RegisterDeps["registration"];
  isMoneyAllowed: boolean;
  /** What clients learn of the server, such as how long a message can be recalled. */
  systemConfig(): SystemConfig;
  /** How people join new groups whose owner has not decided it. */
  newGroupJoinMode(): JoinMode;
  /** STUN and TURN servers of calls. */
  ice: { urls: readonly string[]; secret: string };
}

/** What a node is built out of. */
export interface NodeParts {
  store: Store;
  bus: Bus;
  presence: Presence;
  rateLimiter: RateLimiter;
  tokens: Tokens;
  passwordHasher: PasswordHasher;
  settings: NodeSettings;
  /** Null: no web push is sent. */
  webPush: WebPushSender | null;
  /** Which sockets the gateway accepts, and its log. */
  gateway: Pick<
    GatewayOptions,
    "isOriginAllowed" | "addressOf" | "hasRole" | "newSocketsMax" | "terminalSocketsMax" | "log"
  >;
  failpoint: PassFailpoint;
  metrics: Metrics;
  /** Whether other nodes share the store, the bus and presence. */
  hasOtherNodes: boolean;
  /** Epoch milliseconds. */
  now(): number;
  /** Calls a function after so many ms. */
  after(ms: number, work: () => void): void;
  /** Takes over work that nobody waits for. */
  inBackground(work: Promise<void>): void;
  /** Deletes soon the files that no message, account, group or open report needs now. */
  deleteReleasedFiles(): void;
  /** Lets other work run before a long one continues. */
  nextTurn(): Promise<void>;
}

/** A node that is ready to answer calls. */
export interface ServerNode {
  sessions: SessionCache;
  gateway: Gateway;
  delivery: Delivery;
  calls: Pick<Calls, "sweep" | "resume">;
  /** Pushes what was stored and not pushed here. For nodes on PostgreSQL; called first before a socket connects, then every two seconds. */
  sweepMissedPushes(): Promise<void>;
  /** Closes the polls that are due. Called every second on one of the nodes. */
  sweepPolls(): Promise<void>;
  /** Ends the alert levels of chats whose time has come. Called every second on one of the nodes. */
  endAlertLevels(): Promise<void>;
  /** Sends the web pushes that are due. Called every second. */
  sweepWebPush(): Promise<void>;
  /** How many web pushes wait to be sent. */
  waitingWebPushes(): number;
  /** Without uploads and exports, because a node has no storage for files, and without what only administrators may call. */
  handlers: Omit<Handlers, "uploadImage" | "uploadFile" | "uploadVideo" | "exportData" | AdminEndpointName>;
}

interface HandlerParts {
  sessions: SessionCache;
  delivery: Delivery;
  calls: Calls;
  chats: ChatStrategies;
  changeExtra: ChangeExtra;
  polls: Polls;
}

/** Builds a node. */
export function createNode(parts: NodeParts): ServerNode {
  const { store, bus, presence, tokens, failpoint, metrics, now, inBackground } = parts;
  const sessions = createSessionCache({ tokens, store, bus });
  const gateway = createGateway({
    ...parts.gateway,
    rateLimiter: parts.rateLimiter,
    bus,
    presence,
    sessions,
    epoch: store.epoch,
    now,
    inBackground,
    failpoint,
    metrics,
    hasOtherNodes: parts.hasOtherNodes,
    clients: {
      attached: (client) => calls.attached(client),
      detached: (client, isFinal) => calls.detached(client, isFinal),
    },
  });
  const webPush = createWebPush({ ...parts, log: parts.gateway.log });
  const delivery = createDelivery({
    bus,
    webPush: webPush.events,
    socketsOf: (actor) => gateway.socketsOf(actor),
    send: (audience, frame) => gateway.send(audience, frame),
    waitForDrain: (audience) => gateway.waitForDrain(audience),
    failpoint,
  });
  const queries = createClusterQueries({
    bus,
    hasOtherNodes: parts.hasOtherNodes,
    answer(query) {
      if (query.about === "pull") return pulls.pullFor(query);
      return hasOtherClient(gateway.clientsOf(query.userId), query.except) ? "yes" : undefined;
    },
  });
  const notifyGroup = createNotifyGroup({
    store,
    presence,
    delivery,
    defaultLanguage: parts.settings.defaultLanguage,
  });
  const endFriendLevels = createEndFriendLevels({ store, presence, delivery });
  const endMemberLevels = createEndMemberLevels({ store, notifyGroup });
  const calls = createCalls({
    ...parts,
    delivery,
    defaultLanguage: parts.settings.defaultLanguage,
    hasSocket: (client) => gateway.socketsOf(client).length > 0,
    hasOtherClient: async (userId, except) =>
      hasOtherClient(gateway.clientsOf(userId), except) ||
      (await queries.ask({ about: "otherClient", userId, except })) === "yes",
    maxPeople: parts.settings.systemConfig().webrtc.maxChannel,
    groupChanged: notifyGroup.groupChanged,
  });
  const chats = createChats(parts);
  const publishExtra = createPublishExtra({ delivery, after: parts.after, inBackground });
  const changeExtra = createChangeExtra({ ...parts, ...chats, publishExtra });
  const polls = createPolls({ store, ...chats, changeExtra, publishExtra });
  const pulls = createPullMessages({ ...parts, ...chats, delivery, ask: queries.ask });
  const missed = createMissedPushes({
    ...parts,
    ...chats,
    defaultLanguage: parts.settings.defaultLanguage,
    connectedUsers: () => gateway.connectedUsers(),
    send(userIds, frame, capability) {
      metrics.lostPushRepeated();
      gateway.send({ userIds, capability }, frame);
    },
  });
  return {
    sessions,
    gateway,
    delivery,
    calls,
    sweepMissedPushes: missed.sweep,
    sweepPolls: () => polls.sweep(now()),
    async endAlertLevels() {
      await endFriendLevels(now());
      await endMemberLevels(now());
    },
    sweepWebPush: webPush.sweep,
    waitingWebPushes: webPush.waiting,
    handlers: {
      ...createHandlers(parts, { sessions, delivery, calls, chats, changeExtra, polls }),
      ...pulls.handlers,
      ...webPush.handlers,
    },
  };
}

/** The strategies of private chats and groups. */
export function createChats({ store, bus }: Pick<NodeParts, "store" | "bus">): ChatStrategies {
  return {
    privateChats: createPrivateChats({ store, friendships: createFriendshipCache({ store, bus }) }),
    groupChats: createGroupChats({ store, groupCache: createGroupCache({ store, bus }) }),
  };
}

function createHandlers(
  parts: NodeParts,
  { sessions, delivery, calls, chats, changeExtra, polls }: HandlerParts,
): Omit<ServerNode["handlers"], keyof WebPushService["handlers"] | keyof PullMessages["handlers"]> {
  const { store, presence, rateLimiter, tokens, passwordHasher, settings, deleteReleasedFiles, metrics } =
    parts;
  const { defaultLanguage, isHttps, isMoneyAllowed, systemConfig } = settings;
  const recallSeconds = () => systemConfig().message.recallSeconds;
  const editSeconds = () => systemConfig().message.editSeconds;
  const textMax = () => systemConfig().message.textMax ?? TEXT_MAX;
  const common = { store, presence, delivery, rateLimiter, defaultLanguage };
  const withParting = { ...common, parted: calls.parted };
  const openSession = createOpenSession({ store, sessions, hasOtherNodes: parts.hasOtherNodes });
  return {
    ...createLogin({ ...common, passwordHasher, sessions, openSession }),
    ...createFirstAdmin({ ...common, passwordHasher, openSession }),
    ...createSessions({ ...common, sessions }),
    ...createRefreshToken({ ...common, tokens, sessions }),
    ...createRegister({ ...common, passwordHasher, isHttps, registration: settings.registration }),
    ...createUnregister(composeAccountStatus(common), { store, rateLimiter, passwordHasher, sessions }),
    ...createProfile({ ...common, notifyGroups: createNotifyGroup(common).memberProfileChanged }),
    ...createSettings({
      store,
      isHttps,
      systemConfig,
      iceServers: createIceServers(settings.ice.urls, settings.ice.secret),
    }),
    ...createFriends(withParting),
    ...createFriendRequests(common),
    ...createBlacklist(withParting),
    ...calls.handlers,
    ...createGroupQueries(common),
    ...createGroupLifetime({ ...common, joinMode: settings.newGroupJoinMode }),
    ...createUpdateGroup(common),
    ...createManageMembers(common),
    ...createRemoveMembers({ ...common, deleteReleasedFiles }),
    ...createGroupRequests(common),
    ...createGroupPreferences(common),
    ...createSendMessage({ ...common, ...chats, isMoneyAllowed, editSeconds, textMax, metrics }),
    ...createRecallMessage({ ...common, ...chats, recallSeconds, deleteReleasedFiles }),
    ...createChatHistory({ store, ...chats }),
    ...createFirstChats({ store, now: parts.now }),
    ...createReadMessages({ ...common, ...chats, nextTurn: parts.nextTurn }),
    ...createReactions({ store, changeExtra }),
    ...createPins({ store, changeExtra, ...chats }),
    ...polls.handlers,
    ...createTyping({ ...common, ...chats }),
    ...createChatPrefs(common),
    ...createSavedMessages({ ...common, ...chats }),
    ...createDeleteForMe({ ...common, ...chats }),
    ...createSearchMessages({ ...common, ...chats }),
    ...createNoticeHandlers(common),
    ...createReports(common),
  };
}

/** Bans and closes accounts. Closing one also ends its friendships and its memberships in groups. */
export function composeAccountStatus(
  deps: Omit<AccountStatusDeps<Tx>, "removeRelationships"> &
    Parameters<typeof createDeleteAccountContacts>[0] &
    Parameters<typeof createDeleteAccountMemberships>[0],
): AccountStatus {
  const contacts = createDeleteAccountContacts(deps);
  const groups = createDeleteAccountMemberships(deps);
  return createAccountStatus<Tx>({
    ...deps,
    async removeRelationships(tx, userId, now) {
      const notifications = [
        await contacts.deleteContacts(tx, userId),
        await groups.deleteMemberships(tx, userId, now),
      ];
      return async () => {
        for (const notify of notifications) await notify();
      };
    },
  });
}
