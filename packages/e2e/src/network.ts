import type { WebSocketRoute } from "@playwright/test";
import type { Person } from "./person.ts";

const GOING_AWAY = 1001;

/**
 * The network between one browser and the server, API and socket, for a test to cut and mend while the page itself can still be loaded.
 * Must be laid before the page opens.
 */
export class Network {
  readonly #person: Person;
  #isConnected = true;
  readonly #sockets = new Set<WebSocketRoute>();

  private constructor(person: Person) {
    this.#person = person;
  }

  static async install(person: Person): Promise<Network> {
    const network = new Network(person);
    await person.context.routeWebSocket(/\/im$/, (socket) => network.#connect(socket));
    return network;
  }

  async disconnect(): Promise<void> {
    this.#isConnected = false;
    await this.#person.context.route("**/api/**", (route) => route.abort("internetdisconnected"));
    await this.closeSockets();
  }

  /** The socket alone, as a proxy that restarts does. */
  async closeSockets(): Promise<void> {
    this.#isConnected = false;
    await Promise.all([...this.#sockets].map((socket) => socket.close({ code: GOING_AWAY })));
    this.#sockets.clear();
  }

  async restore(): Promise<void> {
    this.#isConnected = true;
    await this.#person.context.unroute("**/api/**");
  }

  /** A frame as if the server had sent it. */
  deliverFrame(frame: object): void {
    for (const socket of this.#sockets) socket.send(JSON.stringify(frame));
  }

  #connect(socket: WebSocketRoute): void {
    if (!this.#isConnected) {
      void socket.close({ code: GOING_AWAY });
      return;
    }
    socket.connectToServer();
    this.#sockets.add(socket);
  }
}
