/** The bus between simulated nodes. Events reach their own node at once, and other nodes in order when a move delivers them; they may be lost or duplicated. */
import { createMemoryBus } from "@parley/server/adapters/bus/memory-bus";
import type { Bus, BusEvent } from "@parley/server/ports/bus";

/** The bus of all nodes. */
export interface SimulatedBus {
  /** The events under way, one queue for each pair of nodes. */
  readonly queues: EventQueue[];
  join(node: number): NodeBus;
  leave(node: number): void;
}

/** Events from one node to another. */
export interface EventQueue {
  from: number;
  to: number;
  events: { event: BusEvent; at: number }[];
}

/** The bus of one node. */
export interface NodeBus extends Bus {
  /** Delivers an event of another node. */
  receive(event: BusEvent): void;
}

/** Creates a bus without nodes. */
export function createSimulatedBus(
  now: () => number,
  onPublish: () => void,
  onError: (error: unknown) => void,
): SimulatedBus {
  const members = new Map<number, NodeBus>();
  const queues: EventQueue[] = [];

  function send(from: number, event: BusEvent): void {
    for (const to of members.keys()) {
      if (to === from) continue;
      // Cache invalidations are delivered at once: a node with a stale cache would not be correct.
      if (event.kind === "stale" || event.kind === "staleGroup") {
        members.get(to)?.receive(event);
        continue;
      }
      let queue = queues.find((one) => one.from === from && one.to === to);
      if (queue === undefined) queues.push((queue = { from, to, events: [] }));
      queue.events.push({ event, at: now() });
    }
  }

  return {
    queues,
    join(node) {
      const local = createMemoryBus(onError);
      let isJoined = true;
      const bus: NodeBus = {
        publish(event) {
          if (!isJoined) return;
          onPublish();
          local.publish(event);
          send(node, event);
        },
        subscribe: local.subscribe,
        receive: (event) => local.publish(event),
        close: async () => void (isJoined = false),
      };
      members.set(node, bus);
      return bus;
    },
    leave(node) {
      void members.get(node)?.close();
      members.delete(node);
      // Events from the node are still delivered; events for it are dropped.
      for (let i = queues.length - 1; i >= 0; i--) if (queues[i]?.to === node) queues.splice(i, 1);
    },
  };
}
