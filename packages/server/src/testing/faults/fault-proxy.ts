/**
 * A TCP proxy that breaks what passes through it, as networks do: it refuses, cuts, holds back, slows down, or answers in another's
 * place. It chooses anew for every request; what it does to all connections can be changed while they run.
 */
import { type AddressInfo, type Socket, connect, createServer } from "node:net";

/** What happens to a request and its answer, or to a WebSocket and its frames. */
export interface Fault {
  /** These bytes answer whatever is asked; the server hears nothing of it. */
  fakeResponse?: string;
  /** The server gets the request, and the line is cut when its answer begins to come back. */
  dropResponse?: true;
  /** Cut when so many bytes have gone to the server, or come from it. */
  cutAfterBytes?: { up: number } | { down: number };
  /** Cut when so many frames have come from the server, and this many bytes of the next one. */
  cutAfterFrames?: { frames: number; bytes: number };
  /** Each piece comes so much later. */
  delayMs?: number;
}

/** What is known of a connection. */
export interface ProxiedConnection {
  /** The first line of its last request. */
  readonly request: string;
  readonly isSocket: boolean;
}

type ChooseFault = (proxiedConnection: ProxiedConnection) => Fault | undefined;

export interface FaultProxy {
  /** Where clients go instead of to the server. */
  readonly url: string;
  /** From the next request on. */
  injectFaults(choose: ChooseFault): void;
  /** Resets those that are meant; answers how many. */
  resetConnections(isMeant?: (proxiedConnection: ProxiedConnection) => boolean): number;
  /** New connections are reset at once, or let in again. */
  rejectConnections(isOn: boolean): void;
  /** Nothing passes on the connections that are there and on new ones, or goes on. */
  stall(isOn: boolean): void;
  /** What comes from the server on those that are meant: so many bytes a second; 0: it is not read at all; Infinity: all of it again. */
  throttle(bytesPerSecond: number, isMeant: (proxiedConnection: ProxiedConnection) => boolean): void;
  /** Another server stands behind it for new connections. */
  setTarget(serverUrl: string): void;
  close(): Promise<void>;
}

export async function startFaultProxy(serverUrl: string): Promise<FaultProxy> {
  let target = new URL(serverUrl);
  let choose: ChooseFault = () => undefined;
  let isRejecting = false;
  let isStalled = false;
  const connections = new Set<ProxyConnection>();
  const server = createServer({ noDelay: true }, (client) => {
    client.on("error", ignore);
    if (isRejecting) {
      reset(client);
      return;
    }
    const connection = new ProxyConnection(
      client,
      connect(Number(target.port), target.hostname),
      (proxiedConnection) => choose(proxiedConnection),
    );
    connections.add(connection);
    if (isStalled) connection.stall(true);
    client.on("close", () => connections.delete(connection));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    injectFaults: (next) => void (choose = next),
    resetConnections(isMeant = () => true) {
      const meant = [...connections].filter(isMeant);
      for (const connection of meant) connection.reset();
      return meant.length;
    },
    rejectConnections: (isOn) => void (isRejecting = isOn),
    stall(isOn) {
      isStalled = isOn;
      for (const connection of connections) connection.stall(isOn);
    },
    throttle(bytesPerSecond, isMeant) {
      for (const connection of connections) if (isMeant(connection)) connection.throttle(bytesPerSecond);
    },
    setTarget: (url) => void (target = new URL(url)),
    async close() {
      for (const connection of connections) connection.reset();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Slow connections get their share so often. */
const TICK_MS = 20;

/** A connection of a client, and its twin to the server. */
class ProxyConnection implements ProxiedConnection {
  request = "";
  isSocket = false;
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #frames = new FrameScanner();
  #fault: Fault = {};
  #up = 0;
  #down = 0;
  #ticking: NodeJS.Timeout | undefined;
  /** One side gets its last bytes, and ends by itself. */
  #isEnding = false;

  constructor(client: Socket, server: Socket, choose: ChooseFault) {
    this.#client = client;
    this.#server = server;
    server.setNoDelay(true);
    server.on("error", ignore);
    client.on("data", (data) => {
      // Every request on a connection that is kept is a new one; what follows an upgrade is none.
      if (!this.isSocket && REQUEST.test(data.toString("latin1", 0, 8))) {
        const head = data.toString("latin1");
        this.request = head.slice(0, head.indexOf("\r\n"));
        this.isSocket = /\r\nupgrade: websocket/i.test(head);
        this.#fault = choose(this) ?? {};
        [this.#up, this.#down] = [0, 0];
      }
      this.#forwardUp(data);
    });
    server.on("data", (data) => this.#forwardDown(data));
    client.on("end", () => server.end());
    server.on("end", () => client.end());
    for (const side of [client, server]) side.on("close", () => this.#isEnding || this.reset());
  }

  reset(): void {
    clearInterval(this.#ticking);
    reset(this.#client);
    reset(this.#server);
  }

  stall(isOn: boolean): void {
    for (const socket of [this.#client, this.#server]) {
      if (isOn) socket.pause();
      else socket.resume();
    }
  }

  throttle(bytesPerSecond: number): void {
    clearInterval(this.#ticking);
    if (bytesPerSecond === Infinity) {
      this.#server.resume();
      return;
    }
    this.#server.pause();
    if (bytesPerSecond === 0) return;
    let owed = 0;
    this.#ticking = setInterval(() => {
      owed += (bytesPerSecond * TICK_MS) / 1_000;
      // What is read so comes as data like any other.
      const piece: unknown = owed < 1 ? null : this.#server.read(Math.floor(owed));
      if (Buffer.isBuffer(piece)) owed -= piece.length;
    }, TICK_MS);
  }

  #forwardUp(data: Buffer): void {
    const { fakeResponse, cutAfterBytes, delayMs } = this.#fault;
    if (fakeResponse !== undefined) {
      return this.#endWith(this.#client, Buffer.from(fakeResponse, "latin1"));
    }
    const most =
      cutAfterBytes !== undefined && "up" in cutAfterBytes ? cutAfterBytes.up - this.#up : Infinity;
    this.#up += data.length;
    if (most <= data.length) this.#endWith(this.#server, data.subarray(0, Math.max(0, most)));
    else delayed(delayMs, () => this.#server.write(data));
  }

  #forwardDown(data: Buffer): void {
    const { dropResponse, cutAfterBytes, cutAfterFrames, delayMs } = this.#fault;
    if (dropResponse === true) return this.reset();
    let most =
      cutAfterBytes !== undefined && "down" in cutAfterBytes ? cutAfterBytes.down - this.#down : Infinity;
    this.#down += data.length;
    if (cutAfterFrames !== undefined) {
      const end = this.#frames.find(data, cutAfterFrames.frames);
      if (end !== undefined) most = end + cutAfterFrames.bytes;
    }
    if (most <= data.length) this.#endWith(this.#client, data.subarray(0, Math.max(0, most)));
    else delayed(delayMs, () => this.#client.write(data));
  }

  /** What came before the cut must arrive, so for this side it is no reset. */
  #endWith(side: Socket, data: Buffer): void {
    this.#isEnding = true;
    const other = side === this.#client ? this.#server : this.#client;
    reset(other);
    side.removeAllListeners("data");
    // Whatever else it says goes nowhere; until it has ended its end would not be seen.
    side.resume();
    side.end(data);
  }
}

/** Finds where frames of a WebSocket end that come from a server, in pieces of any size. */
class FrameScanner {
  #isOpen = false;
  #head = Buffer.alloc(0);
  #left = 0;
  #ended = 0;

  /** Where in this piece the given number of frames has ended; undefined: not yet. 0 frames: the handshake has. */
  find(data: Buffer, frames: number): number | undefined {
    let at = 0;
    if (!this.#isOpen) {
      const head = Buffer.concat([this.#head, data]);
      const end = head.indexOf("\r\n\r\n");
      if (end === -1) {
        this.#head = head;
        return undefined;
      }
      at = end + 4 - this.#head.length;
      this.#isOpen = true;
      this.#head = Buffer.alloc(0);
    }
    for (;;) {
      if (this.#left === 0 && this.#head.length === 0 && this.#ended >= frames) return at;
      if (at === data.length) return undefined;
      if (this.#left > 0) {
        const step = Math.min(this.#left, data.length - at);
        at += step;
        this.#left -= step;
        if (this.#left === 0) this.#ended++;
      } else {
        this.#head = Buffer.concat([this.#head, data.subarray(at, ++at)]);
        const length = payloadLength(this.#head);
        if (length === undefined) continue;
        this.#head = Buffer.alloc(0);
        this.#left = length;
        if (length === 0) this.#ended++;
      }
    }
  }
}

/** Of a frame without a mask; undefined: its head is not whole. */
function payloadLength(head: Buffer): number | undefined {
  const [, short] = head;
  if (short === undefined) return undefined;
  if (short < 126) return short;
  if (short === 126) return head.length < 4 ? undefined : head.readUInt16BE(2);
  return head.length < 10 ? undefined : Number(head.readBigUInt64BE(2));
}

const REQUEST = /^(GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS) /;

function delayed(delayMs: number | undefined, run: () => void): void {
  if (delayMs === undefined) run();
  else setTimeout(run, delayMs);
}

/** RST, so that nobody takes what came for whole. One whose end is under way cannot be reset: its handle would stay for ever. */
function reset(socket: Socket): void {
  if (socket.writableEnded || socket.connecting) socket.destroy();
  else socket.resetAndDestroy();
}

function ignore(): void {}
