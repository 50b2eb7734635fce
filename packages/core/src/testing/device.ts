import type { Client } from "../client-api.ts";
import { createClient } from "../client.ts";
import type { SignedInClientOptions } from "../session-scope.ts";
import type { Clock } from "../ports.ts";
import type { FakeClock } from "./fake-clock.ts";
import { createFakePorts, type FakePorts } from "./fake-ports.ts";
import type { FakeServer } from "./fake-server/fake-server.ts";
import type { FakeWire } from "./fake-sockets.ts";
import { createFakeTabs, type FakeTabs } from "./fake-tabs.ts";
import { createMemoryStorage, type MemoryStorage } from "./memory-storage.ts";

/** One device of a person in a world: a storage, and in it at most one running client. */
export interface Device {
  readonly name: string;
  readonly userName: string;
  client: Client;
  ports: FakePorts;
  /** Nothing gets through, neither requests nor sockets. */
  isOffline: boolean;
  start(): Promise<void>;
  /** The tab dies at this very moment; what was not written is lost. `wipe`: the disk too. */
  reload(options: { wipe: boolean }): Promise<void>;
  /** The socket breaks; what was on its way is lost. */
  dropConnection(): void;
  stop(): void;
}

export interface DeviceOptions {
  clock: FakeClock;
  server: Pick<FakeServer, "connectionLost">;
  name: string;
  userName: string;
  losesMessages?: boolean;
  sizes?: SignedInClientOptions;
}

export function createDevice(options: DeviceOptions): Device {
  const { clock, server, name, userName } = options;
  let hardware: FakeTabs = createFakeTabs();
  let storage = emptyStorage();
  let branch: (Clock & { stop(): void }) | null = null;
  let starts = 0;

  /** All devices of a person have one device number, or the server would let only the newest live. */
  function emptyStorage(): MemoryStorage {
    const blank = createMemoryStorage();
    blank.local.set("parley.device", `device of ${userName}`);
    return blank;
  }

  function boot(): void {
    branch = clock.branch();
    storage = storage.tab(true);
    storage.losesMessages = options.losesMessages ?? false;
    const ports = createFakePorts({ clock: branch, device: hardware, storage, name: `${name}.${++starts}` });
    ports.sockets.onClose = (wire) => server.connectionLost(wire);
    device.ports = ports;
    device.client = createClient(ports, options.sizes);
  }

  function stop(): void {
    branch?.stop();
    storage.shouldRefuse = true;
    hardware.kill();
    for (const wire of device.ports.sockets.wires) lose(wire);
  }

  function lose(wire: FakeWire): void {
    server.connectionLost(wire);
    wire.state = "closed";
    wire.down.length = 0;
    wire.up.length = 0;
  }

  const device: Device = {
    name,
    userName,
    // Set by `boot` before anybody sees the device.
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
        hardware = createFakeTabs();
        storage = emptyStorage();
      }
      boot();
      if (wipe) await device.start();
      else await device.client.session.resume();
    },
    dropConnection() {
      const wire = device.ports.sockets.wires.find((candidate) => candidate.state !== "closed");
      if (wire === undefined) return;
      server.connectionLost(wire);
      wire.down.length = 0;
      wire.up.length = 0;
      wire.close(1006);
    },
    stop,
  };
  boot();
  return device;
}
