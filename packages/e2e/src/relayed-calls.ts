/** Calls whose pictures and sound go through a relay that a test can cut off, and whose signals go through a proxy. */
import type { Browser, BrowserContext } from "@playwright/test";
import { type DatagramProxy, startDatagramProxy } from "@parley/reliability/faults/datagram-proxy";
import { befriend, createAccount } from "./api.ts";
import { Person } from "./person.ts";
import { type RunningServer, startServer } from "./server.ts";
import { startTurnServer } from "./turn-server.ts";

const SECRET = "shared with coturn";

/** A server with a relay. */
export interface RelayedServer {
  readonly server: RunningServer;
  /** The way of all pictures and sounds. */
  readonly relay: DatagramProxy;
  dispose(): Promise<void>;
}

/** Starts a server, coturn, and a proxy before it. coturn must be installed. */
export async function startRelayedServer(): Promise<RelayedServer> {
  const turn = await startTurnServer(SECRET);
  const relay = await startDatagramProxy(turn.port);
  const server = await startServer({
    ICE_URLS: `turn:127.0.0.1:${relay.port}?transport=udp`,
    TURN_SECRET: SECRET,
  });
  return {
    server,
    relay,
    async dispose() {
      await server.dispose();
      await relay.close();
      await turn.stop();
    },
  };
}

/** Makes the pages of a browser profile use the relay alone, as those do whose network allows nothing else. */
export function forceRelay(context: BrowserContext): Promise<unknown> {
  return context.addInitScript(() => {
    globalThis.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(configuration?: RTCConfiguration) {
        super({ ...configuration, iceTransportPolicy: "relay" });
      }
    };
  });
}

/** Two friends at their browsers, logged in through this address, with their conversation open. */
export async function openRelayedPair(
  browser: Browser,
  { server }: RelayedServer,
  url = server.url,
): Promise<readonly [lin: Person, bo: Person]> {
  const suffix = Date.now().toString(36);
  const options = (name: string) => ({
    language: "en-US" as const,
    userName: `${name.toLowerCase()}${suffix}`,
    nickName: `${name} ${suffix}`,
  });
  const [lin, bo] = [options("Lin"), options("Bo")];
  const accounts = [
    await createAccount(server.url, lin.userName, lin.nickName),
    await createAccount(server.url, bo.userName, bo.nickName),
  ] as const;
  await befriend(...accounts);
  const open = async (me: typeof lin, other: typeof lin) => {
    const person = await Person.create(browser, url, me);
    await forceRelay(person.context);
    await person.openAndLogIn();
    await person.openChat(other.nickName);
    return person;
  };
  return [await open(lin, bo), await open(bo, lin)];
}
