import { describe } from "vitest";
import { presenceContract } from "../../testing/contracts/presence.ts";
import { createMemoryPresence } from "./memory.ts";

describe("memory presence", () => {
  presenceContract(async () => createMemoryPresence());
});
