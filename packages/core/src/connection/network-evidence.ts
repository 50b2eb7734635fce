import { RECONNECT_DELAY_MS } from "@parley/protocol/limits";
import type { Environment, Http, Ports, Sockets } from "../ports.ts";

/** The outside world, in which the network counts as there when it was seen to work, whatever the browser says of it. */
export interface NetworkEvidence {
  readonly ports: Ports;
  /** Stops asking the server. */
  stop(): void;
}

/** How long after the browser reported no network the server is asked for the first time. */
const FIRST_PROBE_MS = 1_000;

/**
 * Corrects `hasNetwork` by what really happens. A browser may report no network over one that works: behind a VPN, in a virtual machine, or
 * with a driver that it does not understand. So its report counts only until a request that was sent after it is answered, or a
 * socket that was opened after it is connected. From then on the network counts as there until a request fails.
 *
 * @param probe Sends a small request to the server. It is called now and then while the browser reports no network.
 */
export function withNetworkEvidence(ports: Ports, probe: () => void): NetworkEvidence {
  const { clock, environment } = ports;
  const listeners = new Set<() => void>();
  let isReported = environment.hasNetwork();
  let isProven = false;
  /** Which report of the browser a request or a socket comes after. */
  let reportNumber = 0;
  let cancelProbe: (() => void) | null = null;

  function scheduleProbe(ms: number): void {
    cancelProbe = clock.after(ms, () => {
      scheduleProbe(RECONNECT_DELAY_MS);
      probe();
    });
  }

  function stopProbes(): void {
    cancelProbe?.();
    cancelProbe = null;
  }

  function readReport(): void {
    const isNowReported = environment.hasNetwork();
    if (isNowReported === isReported) return;
    isReported = isNowReported;
    isProven = false;
    reportNumber++;
    stopProbes();
    if (!isReported) scheduleProbe(FIRST_PROBE_MS);
  }

  function learn(number: number, hasWorked: boolean): void {
    if (isReported || number !== reportNumber || isProven === hasWorked) return;
    isProven = hasWorked;
    for (const listener of listeners) listener();
  }

  const http: Http = {
    async request(request) {
      readReport();
      const number = reportNumber;
      const answer = await ports.http.request(request);
      const isAborted = request.lifetime?.isOver() === true;
      if (answer.kind === "answer" || !isAborted) learn(number, answer.kind === "answer");
      return answer;
    },
  };

  const sockets: Sockets = {
    open(url, handlers) {
      readReport();
      const number = reportNumber;
      return ports.sockets.open(url, {
        ...handlers,
        opened() {
          learn(number, true);
          handlers.opened();
        },
      });
    },
  };

  const correctedEnvironment: Environment = {
    ...environment,
    hasNetwork() {
      readReport();
      return isReported || isProven;
    },
    onChange(listener) {
      const stop = environment.onChange(() => {
        readReport();
        listener();
      });
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        stop();
      };
    },
  };

  if (!isReported) scheduleProbe(FIRST_PROBE_MS);
  return { ports: { ...ports, http, sockets, environment: correctedEnvironment }, stop: stopProbes };
}
