/** A node of the simulation: the product's modules, delivery and gateway, assembled as in `app.ts` but without a listening port. */
import type { HttpRequest } from "@parley/core/ports";
import { createDelivery } from "../../delivery.ts";
import { type Gateway, createGateway } from "../../gateway/gateway.ts";
import { noRateLimiter } from "../../adapters/rate-limiter/memory-rate-limiter.ts";
import type { Handlers } from "../../calls/call.ts";
import type { Store } from "../../ports/store.ts";
import { createLogin } from "../../modules/account/login.ts";
import type { PasswordHasher } from "../../modules/account/password-hasher.ts";
import { createProfile } from "../../modules/account/profile.ts";
import { createRegister } from "../../modules/account/register.ts";
import { createSessionCache } from "../../modules/account/session-cache.ts";
import { createSettings } from "../../modules/account/settings.ts";
import type { Tokens } from "../../modules/account/tokens.ts";
import { createBlacklist } from "../../modules/contacts/blacklist.ts";
import { createFriends } from "../../modules/contacts/friends.ts";
import { createFriendRequests } from "../../modules/contacts/friend-requests.ts";
import { createUpdateGroup } from "../../modules/groups/update-group.ts";
import { createManageMembers } from "../../modules/groups/manage-members.ts";
import { createGroupPreferences } from "../../modules/groups/group-preferences.ts";
import { createGroupQueries } from "../../modules/groups/group-queries.ts";
import { createGroupRequests } from "../../modules/groups/group-requests.ts";
import { createNotifyGroup } from "../../modules/groups/notify-group.ts";
import { createChatHistory } from "../../modules/messages/chat-history.ts";
import { createGroupChats } from "../../modules/messages/group-chats.ts";
import { createPrivateChats } from "../../modules/messages/private-chats.ts";
import { createDeleteForMe } from "../../modules/messages/delete-for-me.ts";
import { createPullMessages } from "../../modules/messages/pull-messages.ts";
import { createReadMessages } from "../../modules/messages/read-messages.ts";
import { createRecallMessage } from "../../modules/messages/recall-message.ts";
import { createGroupCache } from "../../modules/messages/group-cache.ts";
import { createSendMessage } from "../../modules/messages/send-message.ts";
import { createFriendshipCache } from "../../modules/messages/friendship-cache.ts";
import { createNoticeHandlers } from "../../modules/notices/notices.ts";
import type { Bus } from "../../ports/bus.ts";
import type { Presence } from "../../ports/presence.ts";
import { type AnsweredRequest, answerRequest } from "./answer-request.ts";

const RECALL_SECONDS = 300;
const EDIT_SECONDS = 3_600;

/** What a node gets from the simulation. A planted bug may replace parts of it. */
export interface NodeParts {
  store: Store;
  bus: Bus;
  presence: Presence;
  tokens: Tokens;
  passwordHasher: PasswordHasher;
  now(): number;
  onError(error: unknown): void;
}

/** A running node. */
export interface NodeApp {
  readonly gateway: Gateway;
  answer(request: HttpRequest): Promise<AnsweredRequest>;
}

/** Assembles a node. */
export function createNodeApp(parts: NodeParts): NodeApp {
  const { store, bus, presence, tokens, passwordHasher, now, onError } = parts;
  const inBackground = (work: Promise<void>) => void work.catch(onError);
  const sessions = createSessionCache({ tokens, store, bus });
  const gateway = createGateway({
    bus,
    presence,
    sessions,
    epoch: store.epoch,
    now,
    isOriginAllowed: () => true,
    addressOf: () => "127.0.0.1",
    newSocketsMax: Infinity,
    inBackground,
    log: { debug: () => undefined, warn: (data) => onError(data) },
  });
  const delivery = createDelivery({
    bus,
    socketsOf: (actor) => gateway.socketsOf(actor),
    waitForDrain: (audience) => gateway.waitForDrain(audience),
  });
  const common = { store, presence, delivery, rateLimiter: noRateLimiter, defaultLanguage: "en" } as const;
  const chats = {
    privateChats: createPrivateChats({ store, friendships: createFriendshipCache({ store, bus }) }),
    groupChats: createGroupChats({ store, groupCache: createGroupCache({ store, bus }) }),
  };
  const handlers: Partial<Handlers> = {
    ...createLogin({ ...common, passwordHasher, tokens, sessions }),
    ...createRegister({
      ...common,
      passwordHasher,
      isHttps: false,
      settings: { isOpen: true, isInviteCodeRequired: false, isAvatarRequired: false },
    }),
    ...createProfile({ ...common, notifyGroups: createNotifyGroup(common).memberProfileChanged }),
    ...createSettings({
      store,
      isHttps: false,
      systemConfig: {
        webrtc: { maxChannel: 9, heldOffer: false, iceServers: [] },
        message: { recallSeconds: RECALL_SECONDS, editSeconds: EDIT_SECONDS },
        upload: { imageMax: 1, fileMax: 1 },
      },
    }),
    ...createFriends(common),
    ...createFriendRequests(common),
    ...createBlacklist(common),
    ...createGroupQueries(common),
    ...createUpdateGroup(common),
    ...createManageMembers(common),
    ...createGroupRequests(common),
    ...createGroupPreferences(common),
    ...createSendMessage({ ...common, ...chats, isMoneyAllowed: false, editSeconds: EDIT_SECONDS }),
    ...createRecallMessage({ ...common, ...chats, recallSeconds: RECALL_SECONDS }),
    ...createChatHistory(chats),
    ...createReadMessages({ ...common, ...chats, nextTurn: () => Promise.resolve() }),
    ...createDeleteForMe({ ...common, ...chats }),
    ...createPullMessages({ ...common, ...chats, inBackground }),
    ...createNoticeHandlers(common),
  };
  return {
    gateway,
    answer: (request) => answerRequest(request, { handlers, sessions, now, onError }),
  };
}
