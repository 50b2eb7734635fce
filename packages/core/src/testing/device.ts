import type { Client } from "../runtime/client-api.ts";
import { createClient } from "../runtime/client.ts";
import type { RoomOptions } from "../runtime/room.ts";
import type { Clock } from "../runtime/ports.ts";
import type { FakeClock } from "./fake-clock.ts";
import { createFakePorts, type FakePorts } from "./fake-ports.ts";
import type { FakeServer } from "./fake-server/server.ts";
import type { FakeWire } from "./fake-sockets.ts";
import { createFakeDevice, type FakeDevice } from "./fake-tabs.ts";
import { createMemoryStorage, type MemoryStorage } from "./memory-storage.ts";

/** One device of a person in a world: a storage, and in it at most one running client. */
export interface Device {
  readonly name: string;
  readonly userName: string;
  client: Client;
  ports: FakePorts;
  /** Nothing gets through, neither requests nor sockets. */
  isCut: boolean;
  start(): Promise<void>;
  /** The tab dies at this very moment; what was not written is lost. `wipe`: the disk too. */
  reload(options: { wipe: boolean }): Promise<void>;
  /** The socket breaks; what was on its way is lost. */
  drop(): void;
  stop(): void;
}

export interface DeviceOptions {
  clock: FakeClock;
  server: Pick<FakeServer, "connectionLost">;
  name: string;
  userName: string;
  losesMessages?: boolean;
  sizes?: RoomOptions;
}

export function createDevice(options: DeviceOptions): Device {
  const { clock, server, name, userName } = options;
  let hardware: FakeDevice = createFakeDevice();
  let storage = blankStorage();
  let branch: (Clock & { stop(): void }) | null = null;
  let starts = 0;

  /** All devices of a person have one device number, or the server would let only the newest live. */
  function blankStorage(): MemoryStorage {
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
    storage.refuse = true;
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
    isCut: false,
    async start() {
      const form = { userName, password: "password", rememberName: true, rememberPassword: true };
      await device.client.session.login(form);
    },
    async reload({ wipe }) {
      stop();
      if (wipe) {
        hardware = createFakeDevice();
        storage = blankStorage();
      }
      boot();
      if (wipe) await device.start();
      else await device.client.session.resume();
    },
    drop() {
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
