/** The bus between simulated nodes: within a node at once, to another one when a move carries it over; in order, and sometimes not at all or twice. */
import { createMemoryBus } from "../../adapters/bus/memory-bus.ts";
import type { Bus, BusEvent } from "../../ports/bus.ts";

export interface SimulatedBus {
  /** Events on their way, by the node that they go to; the queue of each pair of nodes keeps its order. */
  readonly queues: EventQueue[];
  join(node: number): NodeBus;
  leave(node: number): void;
}

export interface EventQueue {
  from: number;
  to: number;
  events: { event: BusEvent; at: number }[];
}

export interface NodeBus extends Bus {
  /** What another node has published. */
  receive(event: BusEvent): void;
}

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
      // What nodes remember is forgotten at once everywhere: the simulation takes no node for correct whose memory is out of date.
      if (event.kind === "stale" || event.kind === "staleGroup") {
        members.get(to)?.receive(event);
        continue;
      }
      let queue = queues.find((known) => known.from === from && known.to === to);
      if (queue === undefined) queues.push((queue = { from, to, events: [] }));
      queue.events.push({ event, at: now() });
    }
  }

  return {
    queues,
    join(node) {
      const local = createMemoryBus(onError);
      let isIn = true;
      const bus: NodeBus = {
        publish(event) {
          if (!isIn) return;
          onPublish();
          local.publish(event);
          send(node, event);
        },
        subscribe: local.subscribe,
        receive: (event) => local.publish(event),
        close: async () => void (isIn = false),
      };
      members.set(node, bus);
      return bus;
    },
    leave(node) {
      void members.get(node)?.close();
      members.delete(node);
      // What it has published goes on; what was for it is for nobody.
      for (let i = queues.length - 1; i >= 0; i--) if (queues[i]?.to === node) queues.splice(i, 1);
    },
  };
}
