import { describe } from "vitest";
import { busContract } from "../../testing/contracts/bus-contract.ts";
import { createMemoryBus } from "./memory-bus.ts";

describe("memory bus", () => {
  busContract(async () => {
    const errors: unknown[] = [];
    return { bus: createMemoryBus((error) => errors.push(error)), errors, delivered: async () => undefined };
  });
});
