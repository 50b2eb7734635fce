import { describe } from "vitest";
import { presenceContract } from "../../testing/contracts/presence-contract.ts";
import { createMemoryPresence } from "./memory-presence.ts";

describe("memory presence", () => {
  presenceContract(async () => createMemoryPresence());
});
