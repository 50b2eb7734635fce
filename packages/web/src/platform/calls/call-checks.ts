import type { IceServer } from "@parley/core/call-ports";
import { browserMedia, streamOf } from "./browser-media.ts";
import { rtcServers } from "./browser-peers.ts";
import { type IceWay, serversOf } from "./ice-ways.ts";

/** A server that has not answered until then does not, ms. */
const LIMIT_MS = 15_000;
/** Browsers give up on a STUN server much later than this, ms. */
const STUN_SILENCE_MS = 5_000;
/** What a TURN server says of credentials that it does not know, or that are over. */
const UNAUTHORIZED = 401;

type IceResult =
  | { kind: "works"; ms: number }
  | { kind: "notSetUp" | "refused" | "noAnswer" | "unsupported" };

/** What the self-check of calls needs of this browser. */
export const callChecks = {
  /** Opens a device, with its name or why it could not be opened, and closes it at once. */
  async device(kind: "microphone" | "camera") {
    const media = browserMedia();
    const opened = await (kind === "microphone"
      ? media.openMicrophone(null, { echoCancellation: true, noiseSuppression: true })
      : media.openCamera(null));
    if (!opened.ok) return { kind: opened.problem === "cancelled" ? ("unknown" as const) : opened.problem };
    const name = streamOf(opened.track).getTracks()[0]?.label ?? "";
    opened.track.stop();
    return { kind: "works" as const, name };
  },
  /** Asks the servers of one way. */
  async server(way: IceWay, servers: readonly IceServer[]): Promise<IceResult> {
    const chosen = serversOf(way, servers);
    if (chosen.length === 0) return { kind: "notSetUp" };
    return "RTCPeerConnection" in globalThis ? gather(way, rtcServers(chosen)) : { kind: "unsupported" };
  },
};

/** Lets the browser look for a way through these servers. Any answer of one of them is enough. */
async function gather(way: IceWay, iceServers: RTCIceServer[]): Promise<IceResult> {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const connection = new RTCPeerConnection({
    iceServers,
    iceTransportPolicy: way === "stun" ? "all" : "relay",
  });
  const wanted = way === "stun" ? "srflx" : "relay";
  const errors = new Set<number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<IceResult>((resolve, reject) => {
      const works = () => resolve({ kind: "works", ms: elapsed() });
      const fail = () => resolve({ kind: errors.has(UNAUTHORIZED) ? "refused" : "noAnswer" });
      timer = setTimeout(fail, LIMIT_MS);
      connection.addEventListener("icecandidate", ({ candidate }) => {
        if (candidate?.type === wanted) works();
      });
      connection.addEventListener("icecandidateerror", ({ errorCode }) => errors.add(errorCode));
      connection.addEventListener("icegatheringstatechange", () => {
        if (connection.iceGatheringState !== "complete") return;
        // With a public address of its own, a computer learns nothing from the answer of a STUN server, and has no candidate of it.
        if (way === "stun" && errors.size === 0 && elapsed() < STUN_SILENCE_MS) works();
        else fail();
      });
      connection.createDataChannel("check");
      connection.setLocalDescription().catch(reject);
    });
  } finally {
    clearTimeout(timer);
    connection.close();
  }
}
