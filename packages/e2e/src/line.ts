import type { WebSocketRoute } from "@playwright/test";
import type { Person } from "./person.ts";

const GOING_AWAY = 1001;

/**
 * The network between one browser and the server, API and socket, for a test to cut and mend while the page itself can still be loaded.
 * Must be laid before the page opens.
 */
export class Line {
  readonly #person: Person;
  #isUp = true;
  readonly #sockets = new Set<WebSocketRoute>();

  private constructor(person: Person) {
    this.#person = person;
  }

  static async lay(person: Person): Promise<Line> {
    const line = new Line(person);
    await person.context.routeWebSocket(/\/im$/, (socket) => line.#connect(socket));
    return line;
  }

  async cut(): Promise<void> {
    this.#isUp = false;
    await this.#person.context.route("**/api/**", (route) => route.abort("internetdisconnected"));
    await this.cutSocket();
  }

  /** The socket alone, as a proxy that restarts does. */
  async cutSocket(): Promise<void> {
    this.#isUp = false;
    await Promise.all([...this.#sockets].map((socket) => socket.close({ code: GOING_AWAY })));
    this.#sockets.clear();
  }

  async mend(): Promise<void> {
    this.#isUp = true;
    await this.#person.context.unroute("**/api/**");
  }

  /** A frame as if the server had sent it. */
  deliver(frame: object): void {
    for (const socket of this.#sockets) socket.send(JSON.stringify(frame));
  }

  #connect(socket: WebSocketRoute): void {
    if (!this.#isUp) {
      void socket.close({ code: GOING_AWAY });
      return;
    }
    socket.connectToServer();
    this.#sockets.add(socket);
  }
}
