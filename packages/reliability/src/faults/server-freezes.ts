/**
 * Faults K4 and K3: the server is frozen for a while, or is shut down under load and replaced by another one. Clients must reconnect,
 * nothing may be lost or duplicated, and nobody may be shown as online who is not.
 */
import { firstDifference } from "@parley/core/testing/first-difference";
import { createPrng } from "@parley/core/testing/prng";
import { Terminal } from "@parley/protocol/codes";
import { befriend, registerPerson, makeGroup } from "@parley/server/testing/test-person";
import { type ServerProcess, startServer } from "@parley/server/testing/server-process";
import { type ClientDevice, visibleStateOf, startDevice, waitUntilIdle } from "./client-device.ts";
import { startFaultProxy } from "./fault-proxy.ts";
import type { Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

/** How long the server is frozen. */
export interface ServerFreezesOptions {
  server: ServerProcess;
  seconds: readonly number[];
  /** By which factor the clients' timers run faster; 1 if they must detect a silent connection themselves. */
  timerSpeed: number;
  /** A planted fault: a person who left connects with another device. */
  connectsAgain?: boolean;
  /** How long a person who left may be shown as online. */
  stalePresenceMaxMs?: number;
}

/** Runs the battery K4. */
export async function runServerFreezes(options: ServerFreezesOptions): Promise<Report> {
  const { server, seconds, timerSpeed, connectsAgain = false, stalePresenceMaxMs = 60_000 } = options;
  const violations: string[] = [];
  let written = 0;
  let sockets = 0;
  try {
    for (const length of seconds) {
      const addViolation = (what: string) => void violations.push(`${length} s: ${what}`);
      const [ann, bob] = [await registerPerson(server.url), await registerPerson(server.url)];
      await befriend(ann, bob);
      const devices: ClientDevice[] = [];
      for (const [person, location] of [
        [ann, "home"],
        [ann, "work"],
        [bob, "home"],
      ] as const)
        devices.push(await startDevice(person, { name: `${location} ${person.userName}`, timerSpeed }));
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
        await waitUntil("the device has reconnected", () =>
          device.client.getState().connection.kind === "online" ? undefined : "it is not online",
        );
        await waitUntilIdle(device);
      }
      await waitUntilSent(devices);
      await compare(devices, server.url, addViolation);
      sockets += devices.reduce((count, { connections }) => count + connections.length, 0);
      const onlineOf = async (id: number) => {
        const [presence] = await bob.ok("findOnlineTerminals", { query: { userIds: [id] } });
        return presence?.terminals.join() ?? "";
      };
      if ((await onlineOf(ann.id)) !== String(Terminal.WEB))
        addViolation(`ann is shown with the terminals ${await onlineOf(ann.id)}`);
      for (const device of devices.slice(0, 2)) device.stop();
      if (connectsAgain) await (await ann.elsewhere({ terminal: Terminal.APP })).connect();
      const checkOffline = async () => {
        const terminals = await onlineOf(ann.id);
        return terminals === "" ? undefined : `she is shown with the terminals ${terminals}`;
      };
      await waitUntil("ann is shown as offline", checkOffline, stalePresenceMaxMs).catch((error: Error) =>
        addViolation(error.message),
      );
      devices[2]?.stop();
    }
  } finally {
    server.kill("SIGCONT");
  }
  return {
    name: "K4 server frozen",
    done: `${seconds.join(", ")} s; ${written} messages written meanwhile, ${sockets} sockets of ${3 * seconds.length} devices`,
    violations,
  };
}

/** How often a message is written: fewer in all than a first pull returns, so that a new device shows all of them. */
const WRITE_EVERY_MS = 12;

/** How often the server is shut down. */
export interface ServerShutdownsOptions {
  dataDir: string;
  times: number;
  seed: number;
  /** A planted fault: the server is killed instead. */
  isKilled?: boolean;
}

/** Runs the battery K3. */
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
    name: `K3 shut down under load (seed ${seed})`,
    done: `${times} times, ${written} messages written meanwhile`,
    violations,
  };
}

async function waitUntilSent(devices: readonly ClientDevice[]): Promise<void> {
  for (const { client, person } of devices) {
    await waitUntil(`all messages of ${person.userName} are sent`, () => {
      const waiting = Object.values(client.getState().chats.byKey).flatMap(({ window }) =>
        window.messages.filter(({ id }) => id === null),
      );
      return waiting.length === 0 ? undefined : `${waiting.length} messages are not sent`;
    });
  }
}

/** Checks that each device shows the same as a new device of its person. */
async function compare(
  devices: readonly ClientDevice[],
  url: string,
  addViolation: (what: string) => void,
): Promise<void> {
  for (const [index, device] of devices.entries()) {
    const fresh = await startDevice(device.person, { name: `fresh ${index} ${device.person.userName}`, url });
    await waitUntilIdle(fresh);
    await waitUntil(
      "a new device and the old one show the same",
      () => firstDifference(visibleStateOf(fresh), visibleStateOf(device)),
      10_000,
    ).catch((error: Error) => addViolation(`${device.person.userName}: ${error.message}`));
    fresh.stop();
  }
}
