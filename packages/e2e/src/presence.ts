import { expect } from "@playwright/test";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import type { Account } from "./api.ts";

/**
 * Waits until the server says to `asker` that this friend is online. A page that shows its chats may still be connecting, and whoever asks
 * too early asks again after half a minute only.
 */
export async function expectOnline(asker: Account, friend: Account): Promise<void> {
  const query = { userIds: [friend.id] };
  await expect
    .poll(async () => (await asker.call(ENDPOINTS.findOnlineTerminals, { query })).length)
    .toBeGreaterThan(0);
}
