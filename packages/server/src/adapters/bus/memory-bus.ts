import type { Bus, BusEvent } from "../../ports/bus.ts";

/**
 * The bus of one process: listeners are called before `publish` returns. What a listener throws goes to
 * `onError` and stops nobody.
 */
export function createMemoryBus(onError: (error: unknown) => void): Bus {
  const listeners = new Set<(event: BusEvent) => void>();
  const waiting: BusEvent[] = [];
  let isDelivering = false;

  function deliver(event: BusEvent): void {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        onError(error);
      }
    }
  }

  return {
    publish(event) {
      waiting.push(event);
      // A listener that publishes is served after the event it heard, so that everybody hears both in this
      // order.
      if (isDelivering) return;
      isDelivering = true;
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) deliver(next);
      isDelivering = false;
    },
    subscribe(listener) {
      const own = (event: BusEvent) => listener(event);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    async close() {
      listeners.clear();
    },
  };
}
