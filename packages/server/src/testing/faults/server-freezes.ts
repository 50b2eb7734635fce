/**
 * Faults K4 and K3: the server stands still for a while and goes on, or is told to end under load and another takes its place. Clients
 * come back, nothing is lost or doubled, and nobody seems to be there who is not.
 */
import { firstDifference } from "@parley/core/testing/first-difference";
import { createPrng } from "@parley/core/testing/prng";
import { Terminal } from "@parley/protocol/codes";
import { befriend, registerPerson, makeGroup } from "../test-person.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { type ClientDevice, visibleStateOf, startDevice, waitUntilIdle } from "./client-device.ts";
import { startFaultProxy } from "./fault-proxy.ts";
import type { Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

export interface ServerFreezesOptions {
  server: ServerProcess;
  seconds: readonly number[];
  /** Of the clients; 1 where they must give a silent line up by themselves. */
  timerSpeed: number;
  /** Planted: somebody who left is there again by another device. */
  isElsewhere?: boolean;
  /** How long one may seem to be there who is gone. */
  stalePresenceMaxMs?: number;
}

export async function runServerFreezes(options: ServerFreezesOptions): Promise<Report> {
  const { server, seconds, timerSpeed, isElsewhere = false, stalePresenceMaxMs = 60_000 } = options;
  const violations: string[] = [];
  let written = 0;
  let sockets = 0;
  try {
    for (const length of seconds) {
      const wrong = (what: string) => void violations.push(`${length} s: ${what}`);
      const [ann, bob] = [await registerPerson(server.url), await registerPerson(server.url)];
      await befriend(ann, bob);
      const devices: ClientDevice[] = [];
      for (const [person, place] of [
        [ann, "home"],
        [ann, "work"],
        [bob, "home"],
      ] as const)
        devices.push(await startDevice(person, { name: `${place} ${person.userName}`, timerSpeed }));
      for (const device of devices) await waitUntilIdle(device);
      server.kill("SIGSTOP");
      const end = performance.now() + length * 1_000;
      for (let n = 0; performance.now() < end; n++) {
        const device = devices[n % devices.length];
        device?.client.chats.sendText(
          `PRIVATE:${device.person === ann ? bob.id : ann.id}`,
          `frozen ${written++}`,
        );
        await new Promise((resolve) => setTimeout(resolve, (length * 1_000) / 10));
      }
      server.kill("SIGCONT");
      for (const device of devices) {
        await waitUntil("it is back", () =>
          device.client.getState().connection.kind === "online" ? undefined : "it is not",
        );
        await waitUntilIdle(device);
      }
      await waitUntilSent(devices);
      await compare(devices, server.url, wrong);
      sockets += devices.reduce((count, { connections }) => count + connections.length, 0);
      const onlineOf = async (id: number) => {
        const [found] = await bob.ok("findOnlineTerminals", { query: { userIds: [id] } });
        return found?.terminals.join() ?? "";
      };
      if ((await onlineOf(ann.id)) !== String(Terminal.WEB))
        wrong(`ann seems to be at ${await onlineOf(ann.id)}`);
      for (const device of devices.slice(0, 2)) device.stop();
      if (isElsewhere) await (await ann.elsewhere({ terminal: Terminal.APP })).connect();
      const look = async () => {
        const left = await onlineOf(ann.id);
        return left === "" ? undefined : `she seems to be at ${left}`;
      };
      await waitUntil("ann is gone for the others", look, stalePresenceMaxMs).catch((error: Error) =>
        wrong(error.message),
      );
      devices[2]?.stop();
    }
  } finally {
    server.kill("SIGCONT");
  }
  return {
    name: "K4 the server stands still",
    done: `${seconds.join(", ")} s; ${written} messages written meanwhile, ${sockets} sockets of ${3 * seconds.length} devices`,
    violations,
  };
}

/** Fewer in all than a new device is brought at its first pull: it must show all that an old one does. */
const WRITE_EVERY_MS = 12;

export interface ServerShutdownsOptions {
  dataDir: string;
  times: number;
  seed: number;
  /** Planted: the server is killed instead. */
  isKilled?: boolean;
}

export async function runServerShutdowns({
  dataDir,
  times,
  seed,
  isKilled = false,
}: ServerShutdownsOptions): Promise<Report> {
  const violations: string[] = [];
  const random = createPrng(seed);
  const env = { DATA_DIR: dataDir, RATE_LIMITS: "off" };
  let server: ServerProcess = await startServer(env);
  const proxy = await startFaultProxy(server.url);
  let written = 0;
  try {
    const [ann, bob] = [await registerPerson(server.url), await registerPerson(server.url)];
    await befriend(ann, bob);
    const groupId = await makeGroup(ann, [bob]);
    const devices = [
      await startDevice(ann, { name: `ann ${ann.userName}`, url: proxy.url }),
      await startDevice(bob, { name: `bob ${bob.userName}`, url: proxy.url }),
    ];
    for (const device of devices) await waitUntilIdle(device);
    for (let time = 0; time < times; time++) {
      const load = setInterval(() => {
        const device = random.pick(devices);
        const friend = device.person === ann ? bob.id : ann.id;
        device.client.chats.sendText(
          random.isTrueWithProbability(0.5) ? `GROUP:${groupId}` : `PRIVATE:${friend}`,
          `text ${written++}`,
        );
      }, WRITE_EVERY_MS);
      await new Promise((resolve) => setTimeout(resolve, 100 + random.below(200)));
      server.kill(isKilled ? "SIGKILL" : "SIGTERM");
      const code = await server.exited;
      if (code !== 0) violations.push(`SIGTERM ended with ${code}: ${server.output()}`);
      server = await startServer(env);
      proxy.setTarget(server.url);
      clearInterval(load);
      for (const device of devices) {
        device.client.session.reconnectNow();
        await waitUntilIdle(device);
      }
      await waitUntilSent(devices);
    }
    await compare(devices, server.url, (what) => void violations.push(what));
    const failed = devices.flatMap(({ client }) =>
      Object.values(client.getState().chats.byKey).flatMap(({ window }) =>
        window.messages.filter(({ sending }) => sending === "failed"),
      ),
    );
    if (failed.length > 0) violations.push(`${failed.length} messages count as failed`);
    for (const device of devices) device.stop();
  } catch (error) {
    violations.push(error instanceof Error ? error.message : String(error));
  } finally {
    await proxy.close();
    server.kill("SIGKILL");
    await server.exited;
  }
  return {
    name: `K3 told to end under load (seed ${seed})`,
    done: `${times} times, ${written} messages written meanwhile`,
    violations,
  };
}

async function waitUntilSent(devices: readonly ClientDevice[]): Promise<void> {
  for (const { client, person } of devices) {
    await waitUntil(`all of ${person.userName} is sent`, () => {
      const waiting = Object.values(client.getState().chats.byKey).flatMap(({ window }) =>
        window.messages.filter(({ id }) => id === null),
      );
      return waiting.length === 0 ? undefined : `${waiting.length} messages are not`;
    });
  }
}

/** Each shows what a new device of the same person shows. */
async function compare(
  devices: readonly ClientDevice[],
  url: string,
  wrong: (what: string) => void,
): Promise<void> {
  for (const [place, device] of devices.entries()) {
    const fresh = await startDevice(device.person, { name: `fresh ${place} ${device.person.userName}`, url });
    await waitUntilIdle(fresh);
    await waitUntil(
      "both show the same",
      () => firstDifference(visibleStateOf(fresh), visibleStateOf(device)),
      10_000,
    ).catch((error: Error) => wrong(`${device.person.userName}: ${error.message}`));
    fresh.stop();
  }
}
