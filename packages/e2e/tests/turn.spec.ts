import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import type { SystemConfig } from "@parley/protocol/entities";
import type { Page } from "@playwright/test";
import { createAccount } from "../src/api.ts";
import { completeBrowser } from "../src/browsers.ts";
import { expect, test as base } from "../src/fixtures.ts";
import { type RunningServer, startServer } from "../src/server.ts";
import { hasTurnServer, startTurnServer } from "../src/turn-server.ts";

const SECRET = "shared with coturn";

type IceServers = SystemConfig["webrtc"]["iceServers"];

/** The servers that a signed-in person gets, without those of the other transport. */
async function serversFor(server: RunningServer, transport: "udp" | "tcp"): Promise<IceServers> {
  const account = await createAccount(server.url, `turn${transport}${Date.now().toString(36)}`, "Turn");
  const { webrtc } = await account.call(ENDPOINTS.loadSystemConfig, {});
  return webrtc.iceServers
    .map((one) => ({ ...one, urls: one.urls.filter((url) => url.endsWith(`transport=${transport}`)) }))
    .filter(({ urls }) => urls.length > 0);
}

/** Connects two connections of a page by the relay alone, and returns what arrived and which way it took. */
function connectByRelay(page: Page, iceServers: IceServers) {
  return page.evaluate(async (servers) => {
    const configuration = { iceTransportPolicy: "relay", iceServers: servers } as RTCConfiguration;
    const [a, b] = [new RTCPeerConnection(configuration), new RTCPeerConnection(configuration)];
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      from.addEventListener("icecandidate", ({ candidate }) => void to.addIceCandidate(candidate));
    }
    const channel = a.createDataChannel("words");
    const [stream, canvas] = [new MediaStream(), document.createElement("canvas")];
    const context = canvas.getContext("2d");
    const painting = setInterval(() => {
      if (context !== null) context.fillStyle = context.fillStyle === "#ff0000" ? "#00ff00" : "#ff0000";
      context?.fillRect(0, 0, canvas.width, canvas.height);
    }, 50);
    for (const track of canvas.captureStream(20).getTracks()) a.addTrack(track, stream);
    const word = new Promise<string>((resolve) => {
      b.addEventListener("datachannel", (event) => {
        event.channel.addEventListener("message", ({ data }) => resolve(String(data)));
      });
    });
    const picture = new Promise<void>((resolve) => {
      b.addEventListener("track", ({ track }) => {
        const video = document.createElement("video");
        Object.assign(video, { srcObject: new MediaStream([track]), muted: true });
        video.requestVideoFrameCallback(() => resolve());
        document.body.append(video);
        void video.play();
      });
    });
    channel.addEventListener("open", () => channel.send("by relay"));
    await a.setLocalDescription();
    await b.setRemoteDescription(a.localDescription ?? { type: "rollback" });
    await b.setLocalDescription();
    await a.setRemoteDescription(b.localDescription ?? { type: "rollback" });
    const [arrived] = await Promise.all([word, picture]);
    const stats = [...(await a.getStats()).values()] as Readonly<Record<string, unknown>>[];
    const way = stats.find(({ type, isRemote, relayProtocol }) => {
      return type === "local-candidate" && isRemote !== true && relayProtocol !== undefined;
    });
    clearInterval(painting);
    for (const connection of [a, b]) connection.close();
    return { arrived, type: way?.["candidateType"], relayProtocol: way?.["relayProtocol"] };
  }, iceServers as never);
}

/** The first error code that a browser reports while it asks the servers for a relay, and the number of relays that it got. */
function relayError(page: Page, iceServers: IceServers) {
  return page.evaluate(async (servers) => {
    const connection = new RTCPeerConnection({ iceTransportPolicy: "relay", iceServers: servers });
    let relays = 0;
    connection.addEventListener("icecandidate", ({ candidate }) => {
      if (candidate !== null && candidate.candidate !== "") relays++;
    });
    const error = new Promise<number>((resolve) => {
      connection.addEventListener("icecandidateerror", ({ errorCode }) => resolve(errorCode));
    });
    connection.createDataChannel("words");
    await connection.setLocalDescription();
    const code = await error;
    connection.close();
    return { code, relays };
  }, iceServers as never);
}

const test = base.extend<object, { relayServers: { right: RunningServer; wrong: RunningServer } }>({
  /** Two servers with the same coturn. One of them has another secret. */
  relayServers: [
    async ({}, use) => {
      const turn = await startTurnServer(SECRET);
      const [right, wrong] = await Promise.all(
        [SECRET, "another secret"].map((secret) => startServer({ ICE_URLS: turn.urls, TURN_SECRET: secret })),
      );
      if (right === undefined || wrong === undefined) throw new Error("the servers were not started");
      await use({ right, wrong });
      await Promise.all([right.dispose(), wrong.dispose()]);
      await turn.stop();
    },
    { scope: "worker" },
  ],
});

const browser = completeBrowser();
// A computer without a network has the loopback interface alone.
test.use({
  launchOptions: { ...browser, args: [...(browser.args ?? []), "--allow-loopback-in-peer-connection"] },
});

test.skip(!hasTurnServer(), "coturn is not installed and could not be");

for (const transport of ["udp", "tcp"] as const) {
  test(`data and picture go through the TURN server over ${transport.toUpperCase()} with the credentials of a person`, async ({
    page,
    relayServers,
  }) => {
    await page.goto(relayServers.right.url);
    const result = await connectByRelay(page, await serversFor(relayServers.right, transport));
    expect(result).toEqual({ arrived: "by relay", type: "relay", relayProtocol: transport });
  });
}

test("with another secret than the TURN server's, the browser says 401 within 20 s and gets no relay", async ({
  page,
  relayServers,
}) => {
  await page.goto(relayServers.wrong.url);
  const servers = await serversFor(relayServers.wrong, "udp");
  const startedAt = performance.now();
  expect(await relayError(page, servers)).toEqual({ code: 401, relays: 0 });
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});
