import type { PushData } from "@parley/protocol/frame";
import type { CallActions } from "../client-api.ts";
import type { CallService, CallServiceDeps } from "./call-service.ts";

/** Loads the code of calls with what it uses of the browser. It rejects if that is not possible now. */
export type LoadCalls = () => Promise<(deps: CallServiceDeps) => CallService>;

/** Calls whose code is loaded at the first signal or action. */
export interface LazyCalls {
  readonly actions: CallActions;
  /** A signal of a call has arrived: `packages/protocol/src/received-call.ts` reads it. */
  receive(data: PushData): void;
  /** The socket is logged in again: signals that the server kept follow. */
  wentOnline(): void;
  wentOffline(): void;
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

  const actions: CallActions = {
    start: (userId, mode) => withService(({ actions: known }) => known.start(userId, mode)),
    startGroup: (groupId, userIds) => withService(({ actions: known }) => known.startGroup(groupId, userIds)),
    joinGroup: (groupId) => withService(({ actions: known }) => known.joinGroup(groupId)),
    invite: (userIds) => service?.actions.invite(userIds),
    accept: (withCamera) => service?.actions.accept(withCamera),
    end: () => service?.actions.end(),
    setMicrophone: (isOn) => service?.actions.setMicrophone(isOn),
    setCamera: (isOn) => service?.actions.setCamera(isOn),
    setScreen: (isOn) => service?.actions.setScreen(isOn),
    devices: () =>
      new Promise((resolve, reject) => {
        withService(({ actions: known }) => known.devices().then(resolve, reject));
      }),
    chooseDevice: (kind, id) => withService(({ actions: known }) => known.chooseDevice(kind, id)),
    setProcessing: (processing) => withService(({ actions: known }) => known.setProcessing(processing)),
    localStream: () => service?.actions.localStream() ?? null,
    remoteStream: (userId) => service?.actions.remoteStream(userId) ?? null,
  };

  return {
    actions,
    receive: (data) => load !== undefined && withService((known) => known.receive(data)),
    wentOnline: () => service?.wentOnline(),
    wentOffline: () => service?.wentOffline(),
    leave: () => service?.leave(),
  };
}
