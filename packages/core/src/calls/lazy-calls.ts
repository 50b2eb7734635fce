import type { PushData } from "@parley/protocol/received-frame";
import type { CallActions } from "../call-actions.ts";
import type { SessionEvents } from "../session-events.ts";
import { LOCAL_KEYS, readValue } from "../storage/key-value-storage.ts";
import type { CallService, CallServiceDeps } from "./call-service.ts";

/** Loads the code of calls with what it uses of the browser. It rejects if that is not possible now. */
export type LoadCalls = () => Promise<(deps: CallServiceDeps) => CallService>;

/** Calls whose code is loaded at the first signal or action. */
export interface LazyCalls extends Pick<SessionEvents, "wentOnline" | "wentOffline"> {
  readonly actions: CallActions;
  /** A signal of a call has arrived: `packages/protocol/src/received-call.ts` reads it. */
  receive(data: PushData): void;
  /** The session ends, or the page is closed: the server learns that this person is out of the call. */
  leave(): void;
}

/** Whether a pushed frame of this type belongs to a call (spec §3: 100 to 109 and 200 to 211, and our 110). */
export function isCallType(type: number): boolean {
  return (type >= 100 && type <= 110) || (type >= 200 && type <= 211);
}

/** Creates calls of one session. Without `load` this client cannot call, and signals of calls are ignored. */
export function createLazyCalls(load: LoadCalls | undefined, deps: CallServiceDeps): LazyCalls {
  let service: CallService | null = null;
  let loading: Promise<CallService | null> | null = null;

  /** Everything that waits for the code runs in the order in which it came. */
  function withService(run: (service: CallService) => void): void {
    if (service !== null) return run(service);
    loading ??= start();
    void loading.then((loaded) => loaded !== null && run(loaded));
  }

  async function start(): Promise<CallService | null> {
    try {
      if (load === undefined) return null;
      const create = await load();
      if (deps.session.isOver()) return null;
      service = create(deps);
      return service;
    } catch (error) {
      // The next signal or action tries again.
      loading = null;
      deps.ports.log.error("the code of calls could not be loaded", { reason: String(error) });
      deps.onLoadFailure();
      return null;
    }
  }

  /** For actions that begin something: loads the code first. */
  const later = (run: (known: CallActions) => void) => withService((known) => run(known.actions));
  /** For actions that make sense only during a call, when the code is loaded. */
  const now = () => service?.actions;

  const actions: CallActions = {
    start: (userId, mode) => later((known) => known.start(userId, mode)),
    startGroup: (groupId, userIds) => later((known) => known.startGroup(groupId, userIds)),
    joinGroup: (groupId) => later((known) => known.joinGroup(groupId)),
    devices: () => new Promise((resolve) => later((known) => resolve(known.devices()))),
    chooseDevice: (kind, id) => later((known) => known.chooseDevice(kind, id)),
    setProcessing: (processing) => later((known) => known.setProcessing(processing)),
    invite: (userIds) => now()?.invite(userIds),
    accept: (withCamera) => now()?.accept(withCamera),
    end: () => now()?.end(),
    setMicrophone: (isOn) => now()?.setMicrophone(isOn),
    setCamera: (isOn) => now()?.setCamera(isOn),
    setScreen: (isOn) => now()?.setScreen(isOn),
    localStream: () => now()?.localStream() ?? null,
    remoteStream: (userId) => now()?.remoteStream(userId) ?? null,
  };

  return {
    actions,
    receive: (data) => load !== undefined && withService((known) => known.receive(data)),
    // Signals that the server kept follow.
    wentOnline() {
      // A page may have died during a call, without telling the server (`StaleCalls`).
      const hasStaleCalls = readValue(deps.ports.storage.local, `${LOCAL_KEYS.calls}${deps.me}`) !== null;
      if (service !== null || hasStaleCalls) withService((known) => known.wentOnline());
    },
    wentOffline: () => service?.wentOffline(),
    leave: () => service?.leave(),
  };
}
