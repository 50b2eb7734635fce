import type { Client } from "../client-api.ts";
import { createClient } from "../client.ts";
import type { SignedInClientOptions } from "../signed-in-client.ts";
import type { Clock } from "../ports.ts";
import type { FakeClock } from "./fake-clock.ts";
import { createFakePorts, type FakePorts } from "./fake-ports.ts";
import type { FakeServer } from "./fake-server/fake-server.ts";
import type { FakeSocket } from "./fake-sockets.ts";
import { createFakeTabs, type FakeTabs } from "./fake-tabs.ts";
import { createMemoryStorage, type MemoryStorage } from "./memory-storage.ts";

/** A device of a user in a scenario: a storage and at most one running client. */
export interface Device {
  readonly name: string;
  readonly userName: string;
  client: Client;
  ports: FakePorts;
  /** Neither requests nor sockets get through. */
  isOffline: boolean;
  start(): Promise<void>;
  /** Ends the tab at once, so that unwritten data is lost, and starts a new one. `wipe`: deletes the storage as well. */
  reload(options: { wipe: boolean }): Promise<void>;
  /** Closes the socket; frames in transit are lost. */
  dropConnection(): void;
  stop(): void;
}

/** Where a device runs and whose it is. */
export interface DeviceOptions {
  clock: FakeClock;
  server: Pick<FakeServer, "connectionLost">;
  name: string;
  userName: string;
  losesMessages?: boolean;
  /** Whether its server knows the call for the first chats. */
  hasFirstChats?: boolean;
  sizes?: SignedInClientOptions;
}

/** Creates a device with a client that is not logged in. */
export function createDevice(options: DeviceOptions): Device {
  const { clock, server, name, userName } = options;
  let tabs: FakeTabs = createFakeTabs();
  let storage = emptyStorage();
  let ownClock: (Clock & { stop(): void }) | null = null;
  let starts = 0;

  /** All devices of a user share a device number, since the server would log out all but the newest otherwise. */
  function emptyStorage(): MemoryStorage {
    const newStorage = createMemoryStorage();
    newStorage.local.set("parley.device", `device of ${userName}`);
    return newStorage;
  }

  function startClient(): void {
    ownClock = clock.branch();
    storage = storage.tab(true);
    storage.losesMessages = options.losesMessages ?? false;
    const ports = createFakePorts({ clock: ownClock, device: tabs, storage, name: `${name}.${++starts}` });
    ports.http.hasFirstChats = options.hasFirstChats ?? false;
    ports.sockets.onClose = (socket) => server.connectionLost(socket);
    device.ports = ports;
    device.client = createClient(ports, options.sizes);
  }

  function stop(): void {
    ownClock?.stop();
    storage.shouldRefuse = true;
    tabs.kill();
    for (const socket of device.ports.sockets.all) breakSocket(socket);
  }

  function breakSocket(socket: FakeSocket): void {
    server.connectionLost(socket);
    socket.state = "closed";
    socket.down.length = 0;
    socket.up.length = 0;
  }

  const device: Device = {
    name,
    userName,
    // Set by `startClient` before the device is returned.
    client: undefined as unknown as Client,
    ports: undefined as unknown as FakePorts,
    isOffline: false,
    async start() {
      const form = { userName, password: "password", rememberName: true, rememberPassword: true };
      await device.client.session.login(form);
    },
    async reload({ wipe }) {
      stop();
      if (wipe) {
        tabs = createFakeTabs();
        storage = emptyStorage();
      }
      startClient();
      if (wipe) await device.start();
      else await device.client.session.resume();
    },
    dropConnection() {
      const socket = device.ports.sockets.all.find((candidate) => candidate.state !== "closed");
      if (socket === undefined) return;
      server.connectionLost(socket);
      socket.down.length = 0;
      socket.up.length = 0;
      socket.close(1006);
    },
    stop,
  };
  startClient();
  return device;
}
