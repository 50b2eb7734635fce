import type { CallActions } from "./call-actions.ts";
import type { WebPushActions } from "./alerts/web-push.ts";
import type {
  BroadcastActions,
  ChatActions,
  Client,
  ContactActions,
  GroupActions,
  StorageActions,
} from "./client-api.ts";
import { DEFAULT_DISK_LIMIT } from "./model/disk-limit.ts";
import { fail } from "./connection/api.ts";
import type { ServerAddress } from "./connection/server-address.ts";
import type { Result } from "./model/state.ts";
import type { SessionService } from "./session/session-service.ts";
import type { SignedInClient } from "./signed-in-client.ts";
import type { StateStore } from "./state-store.ts";

/** What a user interface sees of the client. */
export interface FacadeDeps extends Pick<Client, "onNotice" | "api" | "close"> {
  readonly stateStore: StateStore;
  readonly serverAddress: ServerAddress;
  readonly sessionService: SessionService;
  /** The client of the session; null while nobody is signed in. */
  signedIn(): SignedInClient | null;
}

/** Creates the client of a user interface: the actions of the session that lasts, or actions that fail. */
export function createFacade(deps: FacadeDeps): Client {
  const { stateStore, serverAddress, sessionService, signedIn } = deps;
  return {
    getState: stateStore.get,
    subscribe: stateStore.subscribe,
    onNotice: deps.onNotice,
    api: deps.api,
    session: {
      ...sessionService,
      reconnectNow: () => signedIn()?.reconnectNow(),
      checkServer: () => serverAddress.check(),
      checkSocket: () => signedIn()?.checkSocket() ?? Promise.resolve(null),
      loadIceServers: () => signedIn()?.account.loadIceServers() ?? Promise.resolve(null),
      sessions: () => signedIn()?.account.sessions() ?? notSignedIn(),
      endSession: (id) => signedIn()?.account.endSession(id) ?? notSignedIn(),
      unregister: (password) => signedIn()?.account.unregister(password) ?? notSignedIn(),
    },
    get chats() {
      return signedIn()?.chats ?? SIGNED_OUT.chats;
    },
    get contacts() {
      return signedIn()?.contacts ?? SIGNED_OUT.contacts;
    },
    get groups() {
      return signedIn()?.groups ?? SIGNED_OUT.groups;
    },
    get broadcast() {
      return signedIn()?.broadcast ?? SIGNED_OUT.broadcast;
    },
    get calls() {
      return signedIn()?.calls ?? SIGNED_OUT.calls;
    },
    get storage() {
      return signedIn()?.storage ?? SIGNED_OUT.storage;
    },
    get webPush() {
      return signedIn()?.webPush ?? SIGNED_OUT.webPush;
    },
    fileUrl: (path) => (/^https?:\/\//i.test(path) ? path : serverAddress.origin() + path),
    close: deps.close,
  };
}

const notSignedIn = () => Promise.resolve(fail({ kind: "loggedOut" }));

/** The actions whose answer is no result, and which therefore cannot just fail. */
type ActionsWithoutResult<Actions> = {
  [
    Name in keyof Actions as Actions[Name] extends (...args: never[]) => Promise<Result<unknown>> | void
      ? never
      : Name
  ]: Actions[Name];
};

/** Actions while nobody is signed in: each changes nothing and fails, except those of `withoutResult`. */
function signedOutActions<Actions extends object>(withoutResult: ActionsWithoutResult<Actions>): Actions {
  return new Proxy(withoutResult, {
    get: (known, name) => Reflect.get(known, name) ?? notSignedIn,
  }) as Actions;
}

const SIGNED_OUT = {
  chats: signedOutActions<ChatActions>({
    draftFile: () => Promise.resolve(null),
    localFile: () => undefined,
    jumpTo: () => Promise.resolve(null),
    nextMention: () => null,
    recalledText: () => null,
  }),
  contacts: signedOutActions<ContactActions>({}),
  groups: signedOutActions<GroupActions>({}),
  broadcast: signedOutActions<BroadcastActions>({ attach: () => [], attachedFile: () => undefined }),
  calls: signedOutActions<CallActions>({
    devices: () => Promise.reject(new Error("nobody is signed in")),
    localStream: () => null,
    remoteStream: () => null,
  }),
  storage: signedOutActions<StorageActions>({
    usage: () => Promise.resolve(null),
    clear: () => Promise.resolve(false),
    limit: () => DEFAULT_DISK_LIMIT,
    setLimit: () => Promise.resolve(),
  }),
  webPush: signedOutActions<WebPushActions>({}),
};
