import { describe } from "vitest";
import { busContract } from "../../testing/contracts/bus.ts";
import { createMemoryBus } from "./memory.ts";

describe("memory bus", () => {
  busContract(async () => {
    const errors: unknown[] = [];
    return { bus: createMemoryBus((error) => errors.push(error)), errors, settle: async () => undefined };
  });
});
