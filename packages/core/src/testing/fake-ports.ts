import type { Clock, Environment, Log, Ports } from "../ports.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { createFakeHttp, type FakeHttp } from "./fake-http.ts";
import { createFakeSockets, type FakeSockets } from "./fake-sockets.ts";
import { createFakeTabs, type FakeTabs } from "./fake-tabs.ts";
import { createMemoryStorage, type MemoryStorage } from "./memory-storage.ts";

/** A client's whole outside world, played by a test. */
export interface FakePorts extends Ports {
  readonly http: FakeHttp;
  readonly sockets: FakeSockets;
  readonly storage: MemoryStorage;
  readonly environment: FakeEnvironment;
  readonly sounds: string[];
  /** Nobody has touched the page yet. */
  isMute: boolean;
  readonly warnings: string[];
}

export interface FakeEnvironment extends Environment {
  set(part: { hasNetwork?: boolean; isAttended?: boolean }): void;
}

export interface FakePortsOptions {
  clock?: Clock;
  device?: FakeTabs;
  storage?: MemoryStorage;
  origin?: string;
  /** Distinguishes the ids this client makes. */
  name?: string;
}

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

/** The clock of ports that were made without one. */
export function clockOf(ports: FakePorts): FakeClock {
  return ports.clock as FakeClock;
}
