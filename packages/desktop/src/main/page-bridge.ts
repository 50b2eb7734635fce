/** The main process's end of the bridge: answers what the page asks, and tells it what happens. */
import type { IpcMainInvokeEvent } from "electron";
import {
  DESKTOP_EVENTS,
  DESKTOP_REQUESTS,
  channelOf,
  type DesktopEvent,
  type DesktopEventContent,
  type DesktopInput,
  type DesktopOutput,
  type DesktopRequest,
} from "../bridge/desktop-bridge.ts";
import type { ContentsPart, ElectronParts } from "./electron-parts.ts";
import type { Log } from "./log-file.ts";
import { isOwnAddress } from "./own-origin.ts";

/** What the main process does for each request. */
export type DesktopAnswers = {
  [Name in DesktopRequest]: (input: DesktopInput<Name>) => DesktopOutput<Name> | Promise<DesktopOutput<Name>>;
};

/** The page that asks. `IpcMainInvokeEvent` fits. */
type Asker = { sender: { id: number }; senderFrame: { origin: string; parent: unknown } | null };

/** One page after the other of one window. */
export class PageBridge {
  readonly #contents: ContentsPart;
  readonly #ends: (() => void)[] = [];
  /** Whether a page has asked for `start` and is still there. */
  #isStarted = false;

  constructor(contents: ContentsPart) {
    this.#contents = contents;
    // Another document is there. A navigation also starts, without one, for a link that is refused and for a download.
    contents.on("did-navigate", () => this.#end());
    contents.on("render-process-gone", () => this.#end());
  }

  /** The listener hears when a page that had started has ended: it was reloaded, crashed or left. */
  onEnd(listener: () => void): void {
    this.#ends.push(listener);
  }

  /** Sends something to the page; false: no page listens, and nothing was sent. */
  tell<Name extends DesktopEvent>(name: Name, content: DesktopEventContent<Name>): boolean {
    if (this.#isStarted) this.#contents.send(channelOf(name), DESKTOP_EVENTS[name].parse(content));
    return this.#isStarted;
  }

  /** Answers from now on. Everybody but the client itself, in the main frame of this window, is refused. */
  answer(ipcMain: ElectronParts["ipcMain"], answers: DesktopAnswers, log: Log): void {
    for (const name of Object.keys(DESKTOP_REQUESTS) as DesktopRequest[]) {
      const handle = async (event: IpcMainInvokeEvent, input: unknown): Promise<unknown> => {
        const parsed = DESKTOP_REQUESTS[name].input.safeParse(input);
        if (!this.#isOfPage(event) || !parsed.success) {
          log.error("a request is refused", undefined, { name, isInputValid: parsed.success });
          throw new Error(`${name} is refused`);
        }
        try {
          // TypeScript does not see that the schema and the answer belong to the same name.
          const answer = answers[name] as (input: unknown) => unknown;
          const output = DESKTOP_REQUESTS[name].output.parse(await answer(parsed.data));
          if (name === "start") this.#isStarted = true;
          return output;
        } catch (error) {
          log.error("a request failed", error, { name });
          throw new Error(`${name} failed`, { cause: error });
        }
      };
      ipcMain.handle(channelOf(name), handle);
    }
  }

  #isOfPage({ sender, senderFrame }: Asker): boolean {
    return (
      sender.id === this.#contents.id &&
      senderFrame !== null &&
      senderFrame.parent === null &&
      isOwnAddress(senderFrame.origin)
    );
  }

  #end(): void {
    if (!this.#isStarted) return;
    this.#isStarted = false;
    for (const listener of this.#ends) listener();
  }
}
