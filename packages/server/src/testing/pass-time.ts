import type { TestApp } from "./test-app.ts";
import type { TestSocket } from "./test-socket.ts";

/** Advances the clock of a server. It has heard these sockets before: those that it does not hear for a minute are closed. */
export async function advance({ clock }: TestApp, sockets: readonly TestSocket[], ms: number): Promise<void> {
  const flush = async () => {
    for (const socket of sockets) if (socket.ws.readyState === socket.ws.OPEN) await socket.flush();
  };
  await flush();
  clock.advance(ms);
  await flush();
}

/** Waits until a server has done what it does in the background. */
export async function waitForBackground({ app }: TestApp): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await app.store.write(async () => undefined);
  }
}
