import type { Clock, Environment, Log, Ports } from "../ports.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { createFakeHttp, type FakeHttp } from "./fake-http.ts";
import { createFakeSockets, type FakeSockets } from "./fake-sockets.ts";
import { createFakeTabs, type FakeTabs } from "./fake-tabs.ts";
import { createFakeWebPush, type FakeWebPush } from "./fake-web-push.ts";
import { createMemoryStorage, type MemoryStorage } from "./memory-storage.ts";

/** All ports of a client, controlled by a test. */
export interface FakePorts extends Ports {
  readonly http: FakeHttp;
  readonly sockets: FakeSockets;
  readonly storage: MemoryStorage;
  readonly environment: FakeEnvironment;
  readonly sounds: string[];
  readonly webPush: FakeWebPush;
  /** The page may not play sounds yet, because the person has not interacted with it. */
  isMute: boolean;
  readonly warnings: string[];
}

/** An environment whose network and attention a test can change. */
export interface FakeEnvironment extends Environment {
  set(part: { hasNetwork?: boolean; isAttended?: boolean }): void;
}

/** Parts that a test shares between clients or chooses itself. */
export interface FakePortsOptions {
  clock?: Clock;
  device?: FakeTabs;
  storage?: MemoryStorage;
  origin?: string;
  /** The prefix of the ids that this client creates. */
  name?: string;
}

/** Creates ports; what the options leave out is new. */
export function createFakePorts(options: FakePortsOptions = {}): FakePorts {
  const sounds: string[] = [];
  const warnings: string[] = [];
  let serial = 0;
  const clock = options.clock ?? createFakeClock();
  const ports: FakePorts = {
    isMute: false,
    clock,
    random: { id: () => `${options.name ?? "id"}-${++serial}` },
    http: createFakeHttp(),
    sockets: createFakeSockets(),
    storage: options.storage ?? createMemoryStorage(),
    tabs: (options.device ?? createFakeTabs()).tab(),
    sound: {
      async play(name) {
        if (!ports.isMute) sounds.push(name);
        return !ports.isMute;
      },
    },
    webPush: createFakeWebPush(),
    environment: fakeEnvironment(options.origin ?? "https://im.example"),
    log: fakeLog(warnings),
    sounds,
    warnings,
  };
  return ports;
}

function fakeEnvironment(origin: string): FakeEnvironment {
  const listeners = new Set<() => void>();
  let hasNetwork = true;
  let isAttended = true;
  return {
    origin,
    os: "Linux",
    browser: "Test 1",
    deviceVersion: "1",
    appVersion: "0.1.0",
    language: () => "en-US",
    hasNetwork: () => hasNetwork,
    hasAttention: () => isAttended,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set(part) {
      hasNetwork = part.hasNetwork ?? hasNetwork;
      isAttended = part.isAttended ?? isAttended;
      for (const listener of listeners) listener();
    },
  };
}

function fakeLog(warnings: string[]): Log {
  return {
    debug: () => undefined,
    warn: (text) => void warnings.push(text),
    error: (text) => void warnings.push(text),
  };
}

/** The clock of ports that were created without a clock of their own. */
export function clockOf(ports: FakePorts): FakeClock {
  return ports.clock as FakeClock;
}
