/** Fault K26: the access token expires while many calls are under way. One refresh must serve them all, and each call is repeated once. */
import { REFRESH_GRACE_MS, ACCESS_TOKEN_SECONDS } from "@parley/protocol/limits";
import { befriend, registerPerson } from "@parley/server/testing/test-person";
import type { ClockServer } from "../controlled-servers.ts";
import { type ClientDevice, startDevice, waitUntilIdle } from "./client-device.ts";
import type { Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

/** How many calls. */
export interface TokenExpiryOptions {
  server: ClockServer;
  rounds: number;
  /** The number of calls under way in each round. */
  calls: number;
  /** A planted fault: two independent clients use the same tokens, so that each refreshes. */
  isShared?: boolean;
}

/** Runs the battery. */
export async function runTokenExpiry({
  server,
  rounds,
  calls,
  isShared = false,
}: TokenExpiryOptions): Promise<Report> {
  const violations: string[] = [];
  let retried = 0;
  try {
    const [ann, bob] = [await registerPerson(server.url), await registerPerson(server.url)];
    await befriend(ann, bob);
    const device = await startDevice(ann, { name: `expiry ${ann.userName}` });
    const other = isShared ? await startDevice(ann, { name: `expiry too ${ann.userName}` }) : undefined;
    const devices = other === undefined ? [device] : [device, other];
    for (const one of devices) await waitUntilIdle(one);
    for (let round = 1; round <= rounds; round++) {
      const addViolation = (what: string) => void violations.push(`round ${round}: ${what}`);
      const before = devices.map(({ requests }) => requests.length);
      await server.setClock(round * (ACCESS_TOKEN_SECONDS * 1_000 + REFRESH_GRACE_MS));
      const results = await Promise.all(devices.flatMap((one) => callAll(one, bob.id, round, calls)));
      const failed = results.filter((result) => !result.ok);
      if (failed.length > 0)
        addViolation(`${failed.length} of ${calls} calls failed: ${JSON.stringify(failed[0])}`);
      const since = devices.flatMap(({ requests }, index) => requests.slice(before[index]));
      const refreshes = since.filter(({ path }) => path.endsWith("/refreshToken")).length;
      if (refreshes !== 1) addViolation(`${refreshes} refreshes`);
      const callCount = since.filter(
        ({ path }) => path.endsWith("/friend/update/remark") || path.includes("/user/find/"),
      ).length;
      retried += callCount - calls;
      for (const one of devices) {
        await waitUntil("all texts are sent", () =>
          unsentCount(one) === 0 ? undefined : `${unsentCount(one)} are not sent`,
        );
        if (one.client.getState().session.kind !== "active") addViolation("the session ended");
      }
    }
    await server.setClock(0);
    const stored = await bob.ok("privateHistory", { query: { friendId: ann.id, size: 100 } });
    const texts = stored.map(({ content }) => content).filter((content) => content.startsWith("round"));
    if (texts.length !== rounds * devices.length)
      violations.push(`${texts.length} texts are stored, ${rounds} were sent`);
    for (const one of devices) one.stop();
  } finally {
    await server.setClock(0);
  }
  return {
    name: "K26 token expires during calls",
    done: `${rounds} times with ${calls} calls, ${rounds} texts and a socket under way; ${retried} calls repeated`,
    violations,
  };
}

function callAll({ client }: ClientDevice, friendId: number, round: number, calls: number) {
  const made = Array.from({ length: calls }, () => client.contacts.loadUser(friendId));
  client.chats.sendText(`PRIVATE:${friendId}`, `round ${round}`);
  return made;
}

function unsentCount({ client }: ClientDevice): number {
  return Object.values(client.getState().chats.byKey).flatMap(({ window }) =>
    window.messages.filter(({ id }) => id === null),
  ).length;
}
