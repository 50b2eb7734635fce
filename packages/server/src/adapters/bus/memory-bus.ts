import type { Bus, BusEvent } from "../../ports/bus.ts";

/** The bus of one process. A caller that connects it to other nodes also publishes `interrupted`. */
export interface MemoryBus extends Bus {
  publish(event: BusEvent): void;
}

/**
 * The bus of one process: listeners are called before `publish` returns. An error that a listener throws goes
 * to `onError`, and the other listeners are still called.
 */
export function createMemoryBus(onError: (error: unknown) => void): MemoryBus {
  const listeners = new Set<(event: BusEvent) => void>();
  const queue: BusEvent[] = [];
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
      queue.push(event);
      // An event that a listener publishes is delivered after the current one, so that all listeners see both
      // in the same order.
      if (isDelivering) return;
      isDelivering = true;
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) deliver(next);
      isDelivering = false;
    },
    subscribe(listener) {
      const subscription = (event: BusEvent) => listener(event);
      listeners.add(subscription);
      return () => void listeners.delete(subscription);
    },
    async close() {
      listeners.clear();
    },
  };
}
