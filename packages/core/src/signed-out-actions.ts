import type { SignedInActions } from "./client-api.ts";
import { DEFAULT_DISK_LIMIT } from "./model/disk-limit.ts";
import { fail } from "./connection/api.ts";
import type { Result } from "./model/state.ts";

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

const notSignedIn = () => Promise.resolve(fail({ kind: "loggedOut" }));

/** All actions while nobody is signed in. */
export const SIGNED_OUT_ACTIONS: SignedInActions = {
  account: signedOutActions<SignedInActions["account"]>({ loadIceServers: () => Promise.resolve(null) }),
  chats: signedOutActions<SignedInActions["chats"]>({
    draftFile: () => Promise.resolve(null),
    localFile: () => undefined,
    jumpTo: () => Promise.resolve(null),
    nextMention: () => null,
    recalledText: () => null,
    startedRecording: () => () => undefined,
  }),
  contacts: signedOutActions<SignedInActions["contacts"]>({}),
  groups: signedOutActions<SignedInActions["groups"]>({}),
  broadcast: signedOutActions<SignedInActions["broadcast"]>({
    attach: () => [],
    attachedFile: () => undefined,
  }),
  calls: signedOutActions<SignedInActions["calls"]>({
    devices: () => Promise.reject(new Error("nobody is signed in")),
    localStream: () => null,
    remoteStream: () => null,
  }),
  storage: signedOutActions<SignedInActions["storage"]>({
    usage: () => Promise.resolve(null),
    clear: () => Promise.resolve(false),
    limit: () => DEFAULT_DISK_LIMIT,
    setLimit: () => Promise.resolve(),
  }),
  webPush: signedOutActions<SignedInActions["webPush"]>({}),
};
