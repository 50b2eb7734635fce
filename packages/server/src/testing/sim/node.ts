/** A node of the simulation: the modules, the delivery and the gateway of the product, put together as `app.ts` does, without listening. */
import type { HttpRequest } from "@parley/core/runtime/ports";
import { createDelivery } from "../../delivery.ts";
import { type Gateway, createGateway } from "../../gateway/gateway.ts";
import { noLimits } from "../../http/limits.ts";
import { createLogin } from "../../modules/account/login.ts";
import type { Passwords } from "../../modules/account/passwords.ts";
import { createProfile } from "../../modules/account/profile.ts";
import { createRegister } from "../../modules/account/register.ts";
import { createSessions } from "../../modules/account/sessions.ts";
import { createSettings } from "../../modules/account/settings.ts";
import type { Tokens } from "../../modules/account/tokens.ts";
import { createBlacklist } from "../../modules/contacts/blacklist.ts";
import { createFriends } from "../../modules/contacts/friends.ts";
import { createRequests } from "../../modules/contacts/requests.ts";
import { createGroupChanging } from "../../modules/groups/changing.ts";
import { createGroupMembers } from "../../modules/groups/members.ts";
import { createGroupNotes } from "../../modules/groups/own.ts";
import { createGroupReading } from "../../modules/groups/reading.ts";
import { createGroupRequests } from "../../modules/groups/requests.ts";
import { createGroupTelling } from "../../modules/groups/telling.ts";
import { createGroupRead } from "../../modules/messages/group-read.ts";
import { createGroupRecall } from "../../modules/messages/group-recall.ts";
import { createGroupSend } from "../../modules/messages/group-send.ts";
import { createHide } from "../../modules/messages/hide.ts";
import { createPull } from "../../modules/messages/pull.ts";
import { createRead } from "../../modules/messages/read.ts";
import { createRecall } from "../../modules/messages/recall.ts";
import { createRooms } from "../../modules/messages/rooms.ts";
import { createSend } from "../../modules/messages/send.ts";
import { createStandings } from "../../modules/messages/standings.ts";
import { createNoticeHandlers } from "../../modules/notices/notices.ts";
import type { Bus } from "../../ports/bus.ts";
import type { Handlers } from "../../ports/call.ts";
import type { Presence } from "../../ports/presence.ts";
import type { Store } from "../../ports/store.ts";
import { type Answered, answerCall } from "./calls.ts";

const RECALL_SECONDS = 300;
const EDIT_SECONDS = 3_600;

/** What a node has of its world, and in which a planted bug takes the place of the real thing. */
export interface NodeParts {
  store: Store;
  bus: Bus;
  presence: Presence;
  tokens: Tokens;
  passwords: Passwords;
  now(): number;
  onError(error: unknown): void;
}

export interface NodeApp {
  readonly gateway: Gateway;
  answer(request: HttpRequest): Promise<Answered>;
}

export function createNodeApp(parts: NodeParts): NodeApp {
  const { store, bus, presence, tokens, passwords, now, onError } = parts;
  const inBackground = (work: Promise<void>) => void work.catch(onError);
  const sessions = createSessions({ tokens, store, bus });
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
    hasRoom: (audience) => gateway.hasRoom(audience),
  });
  const common = { store, presence, delivery, limits: noLimits, defaultLanguage: "en" } as const;
  const rooms = createRooms({ store, bus });
  const sending = { isMoneyAllowed: false, editSeconds: EDIT_SECONDS };
  const handlers: Partial<Handlers> = {
    ...createLogin({ ...common, passwords, tokens, sessions }),
    ...createRegister({
      ...common,
      passwords,
      isHttps: false,
      settings: { isOpen: true, isInviteCodeRequired: false, isAvatarRequired: false },
    }),
    ...createProfile({ ...common, showInGroups: createGroupTelling(common).changedPerson }),
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
    ...createRequests(common),
    ...createBlacklist(common),
    ...createGroupReading(common),
    ...createGroupChanging(common),
    ...createGroupMembers(common),
    ...createGroupRequests(common),
    ...createGroupNotes(common),
    ...createSend({ ...common, ...sending, standings: createStandings({ store, bus }) }),
    ...createRecall({ ...common, recallSeconds: RECALL_SECONDS }),
    ...createGroupSend({ ...common, ...sending, rooms }),
    ...createGroupRecall({ ...common, rooms, recallSeconds: RECALL_SECONDS }),
    ...createGroupRead({ ...common, nextTurn: () => Promise.resolve() }),
    ...createHide(common),
    ...createPull({ ...common, inBackground }),
    ...createRead(common),
    ...createNoticeHandlers(common),
  };
  return {
    gateway,
    answer: (request) => answerCall(request, { handlers, sessions, now, onError }),
  };
}
