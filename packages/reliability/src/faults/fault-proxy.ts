/**
 * A TCP proxy that injects faults of a network: it refuses, cuts, stalls or slows down connections, or answers instead of the server.
 * The fault is chosen for each request. Faults of all connections can be changed while they run.
 */
import { type AddressInfo, type Socket, connect, createServer } from "node:net";

/** A fault of a request and its answer, or of a WebSocket and its frames. */
export interface Fault {
  /** These bytes are the answer. The server does not get the request. */
  fakeResponse?: string;
  /** The server gets the request, and the connection is cut when its answer begins. */
  dropResponse?: true;
  /** The connection is cut after so many bytes to the server, or from it. */
  cutAfterBytes?: { up: number } | { down: number };
  /** The connection is cut after so many frames from the server, and so many bytes of the next one. */
  cutAfterFrames?: { frames: number; bytes: number };
  /** Each chunk is delayed by this time. */
  delayMs?: number;
}

/** A connection through the proxy. */
export interface ProxiedConnection {
  /** The first line of its last request. */
  readonly request: string;
  readonly isSocket: boolean;
}

type ChooseFault = (connection: ProxiedConnection) => Fault | undefined;

/** A running proxy. */
export interface FaultProxy {
  /** The address for clients, instead of the server's. */
  readonly url: string;
  /** Chooses the fault of each request from now on. */
  injectFaults(choose: ChooseFault): void;
  /** Resets the matching connections and returns how many. */
  resetConnections(matches?: (connection: ProxiedConnection) => boolean): number;
  /** Whether new connections are reset at once. */
  rejectConnections(isOn: boolean): void;
  /** Whether existing and new connections forward nothing. */
  stall(isOn: boolean): void;
  /** Limits the bytes per second from the server on the matching connections. 0: nothing is read; Infinity: no limit. */
  throttle(bytesPerSecond: number, matches: (connection: ProxiedConnection) => boolean): void;
  /** New connections go to this server. */
  setTarget(serverUrl: string): void;
  close(): Promise<void>;
}

/** Starts a proxy without faults. It forwards bytes of any protocol; faults that are chosen by request need HTTP. */
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
    const upstream = connect(Number(target.port), target.hostname);
    const connection = new ProxyConnection(client, upstream, (proxied) => choose(proxied));
    connections.add(connection);
    if (isStalled) connection.stall(true);
    client.on("close", () => connections.delete(connection));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    injectFaults: (next) => void (choose = next),
    resetConnections(matches = () => true) {
      const matching = [...connections].filter(matches);
      for (const connection of matching) connection.reset();
      return matching.length;
    },
    rejectConnections: (isOn) => void (isRejecting = isOn),
    stall(isOn) {
      isStalled = isOn;
      for (const connection of connections) connection.stall(isOn);
    },
    throttle(bytesPerSecond, matches) {
      for (const connection of connections) if (matches(connection)) connection.throttle(bytesPerSecond);
    },
    setTarget: (url) => void (target = new URL(url)),
    async close() {
      for (const connection of connections) connection.reset();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** How often a slow connection forwards its share. */
const TICK_MS = 20;

/** A connection of a client and its connection to the server. */
class ProxyConnection implements ProxiedConnection {
  request = "";
  isSocket = false;
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #frames = new FrameScanner();
  #fault: Fault = {};
  #bytesUp = 0;
  #bytesDown = 0;
  #throttleTimer: NodeJS.Timeout | undefined;
  /** One side gets its last bytes and then ends normally. */
  #isEnding = false;

  constructor(client: Socket, server: Socket, choose: ChooseFault) {
    this.#client = client;
    this.#server = server;
    server.setNoDelay(true);
    server.on("error", ignore);
    client.on("data", (data) => {
      // A kept-alive connection carries several requests. After an upgrade there are none.
      if (!this.isSocket && REQUEST.test(data.toString("latin1", 0, 8))) {
        const head = data.toString("latin1");
        this.request = head.slice(0, head.indexOf("\r\n"));
        this.isSocket = /\r\nupgrade: websocket/i.test(head);
        this.#fault = choose(this) ?? {};
        [this.#bytesUp, this.#bytesDown] = [0, 0];
      }
      this.#forwardUp(data);
    });
    server.on("data", (data) => this.#forwardDown(data));
    client.on("end", () => server.end());
    server.on("end", () => client.end());
    for (const side of [client, server]) side.on("close", () => this.#isEnding || this.reset());
  }

  reset(): void {
    clearInterval(this.#throttleTimer);
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
    clearInterval(this.#throttleTimer);
    if (bytesPerSecond === Infinity) {
      this.#server.resume();
      return;
    }
    this.#server.pause();
    if (bytesPerSecond === 0) return;
    let allowedBytes = 0;
    this.#throttleTimer = setInterval(() => {
      allowedBytes += (bytesPerSecond * TICK_MS) / 1_000;
      // Reading emits the bytes as a `data` event.
      const chunk: unknown = allowedBytes < 1 ? null : this.#server.read(Math.floor(allowedBytes));
      if (Buffer.isBuffer(chunk)) allowedBytes -= chunk.length;
    }, TICK_MS);
  }

  #forwardUp(data: Buffer): void {
    const { fakeResponse, cutAfterBytes, delayMs } = this.#fault;
    if (fakeResponse !== undefined) {
      return this.#endWith(this.#client, Buffer.from(fakeResponse, "latin1"));
    }
    const limit =
      cutAfterBytes !== undefined && "up" in cutAfterBytes ? cutAfterBytes.up - this.#bytesUp : Infinity;
    this.#bytesUp += data.length;
    if (limit <= data.length) this.#endWith(this.#server, data.subarray(0, Math.max(0, limit)));
    else delayed(delayMs, () => this.#server.write(data));
  }

  #forwardDown(data: Buffer): void {
    const { dropResponse, cutAfterBytes, cutAfterFrames, delayMs } = this.#fault;
    if (dropResponse === true) return this.reset();
    let limit =
      cutAfterBytes !== undefined && "down" in cutAfterBytes
        ? cutAfterBytes.down - this.#bytesDown
        : Infinity;
    this.#bytesDown += data.length;
    if (cutAfterFrames !== undefined) {
      const end = this.#frames.find(data, cutAfterFrames.frames);
      if (end !== undefined) limit = end + cutAfterFrames.bytes;
    }
    if (limit <= data.length) this.#endWith(this.#client, data.subarray(0, Math.max(0, limit)));
    else delayed(delayMs, () => this.#client.write(data));
  }

  /** Ends one side after its last bytes. It is not reset, because a reset could drop them. */
  #endWith(side: Socket, data: Buffer): void {
    this.#isEnding = true;
    const other = side === this.#client ? this.#server : this.#client;
    reset(other);
    side.removeAllListeners("data");
    // Discard what it still sends; without reading, its end would not be noticed.
    side.resume();
    side.end(data);
  }
}

/** Finds the ends of WebSocket frames of a server, in chunks of any size. */
class FrameScanner {
  #isOpen = false;
  #head = Buffer.alloc(0);
  #payloadLeft = 0;
  #endedFrames = 0;

  /** The position in this chunk at which the given number of frames has ended, or undefined. 0 frames: the end of the handshake. */
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
      if (this.#payloadLeft === 0 && this.#head.length === 0 && this.#endedFrames >= frames) return at;
      if (at === data.length) return undefined;
      if (this.#payloadLeft > 0) {
        const step = Math.min(this.#payloadLeft, data.length - at);
        at += step;
        this.#payloadLeft -= step;
        if (this.#payloadLeft === 0) this.#endedFrames++;
      } else {
        this.#head = Buffer.concat([this.#head, data.subarray(at, ++at)]);
        const length = payloadLength(this.#head);
        if (length === undefined) continue;
        this.#head = Buffer.alloc(0);
        this.#payloadLeft = length;
        if (length === 0) this.#endedFrames++;
      }
    }
  }
}

/** The payload length of an unmasked frame; undefined if its head is incomplete. */
function payloadLength(head: Buffer): number | undefined {
  const [, lengthField] = head;
  if (lengthField === undefined) return undefined;
  if (lengthField < 126) return lengthField;
  if (lengthField === 126) return head.length < 4 ? undefined : head.readUInt16BE(2);
  return head.length < 10 ? undefined : Number(head.readBigUInt64BE(2));
}

const REQUEST = /^(GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS) /;

function delayed(delayMs: number | undefined, run: () => void): void {
  if (delayMs === undefined) run();
  else setTimeout(run, delayMs);
}

/** Sends RST, so that received bytes do not look complete. A socket that is ending is destroyed instead: a reset would leak its handle. */
function reset(socket: Socket): void {
  if (socket.writableEnded || socket.connecting) socket.destroy();
  else socket.resetAndDestroy();
}

function ignore(): void {}
