import { expect, type WebSocketRoute } from "@playwright/test";
import type { Person } from "./person.ts";

const GOING_AWAY = 1001;

/**
 * The network between one browser and the server. A test can disconnect and restore API and socket while the page itself can still be
 * loaded.
 */
export class Network {
  readonly #person: Person;
  #isConnected = true;
  readonly #sockets = new Set<WebSocketRoute>();

  private constructor(person: Person) {
    this.#person = person;
  }

  /** Installs the routes. Call it before the page opens. */
  static async install(person: Person): Promise<Network> {
    const network = new Network(person);
    await person.context.routeWebSocket(/\/im$/, (socket) => network.#connect(socket));
    return network;
  }

  /** Makes API calls fail, closes the sockets and refuses new ones until `restore`. */
  async disconnect(): Promise<void> {
    this.#isConnected = false;
    await this.#person.context.route("**/api/**", (route) => route.abort("internetdisconnected"));
    await this.closeSockets();
  }

  /** Closes the sockets and refuses new ones until `restore`, as a restarting proxy does. API calls still work. */
  async closeSockets(): Promise<void> {
    this.#isConnected = false;
    await Promise.all([...this.#sockets].map((socket) => socket.close({ code: GOING_AWAY })));
    this.#sockets.clear();
  }

  /** Lets API calls and new sockets through again. */
  async restore(): Promise<void> {
    this.#isConnected = true;
    await this.#person.context.unroute("**/api/**");
  }

  /** Delivers a frame to the page as if the server had sent it. The page may still be connecting after it shows its chats. */
  async deliverFrame(frame: object): Promise<void> {
    await expect.poll(() => this.#sockets.size).toBeGreaterThan(0);
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
