/** The page's end of the bridge. */
import type { IpcRenderer } from "electron";
import {
  DESKTOP_EVENTS,
  DESKTOP_REQUESTS,
  channelOf,
  type DesktopBridge,
  type DesktopEvent,
  type DesktopEventContent,
  type DesktopInput,
  type DesktopOutput,
  type DesktopRequest,
} from "../bridge/desktop-bridge.ts";

/**
 * What the page gets. It can name what the tables name and nothing else; inputs, answers and events are checked here as well, so that
 * neither side relies on the other.
 */
export function createPageEnd(
  ipc: Pick<IpcRenderer, "invoke" | "on" | "removeListener">,
  platform: string,
): DesktopBridge {
  return {
    platform: platform === "darwin" || platform === "win32" ? platform : "linux",
    async request<Name extends DesktopRequest>(name: Name, input: DesktopInput<Name>) {
      if (!Object.hasOwn(DESKTOP_REQUESTS, name)) throw new TypeError("there is no such request");
      const { input: wanted, output } = DESKTOP_REQUESTS[name];
      const answer: unknown = await ipc.invoke(channelOf(name), wanted.parse(input));
      return output.parse(answer) as DesktopOutput<Name>;
    },
    on<Name extends DesktopEvent>(name: Name, listener: (content: DesktopEventContent<Name>) => void) {
      if (!Object.hasOwn(DESKTOP_EVENTS, name)) throw new TypeError("there is no such event");
      // The event of Electron has the sender and stays here.
      const hear = (_event: unknown, content: unknown): void => {
        listener(DESKTOP_EVENTS[name].parse(content) as DesktopEventContent<Name>);
      };
      ipc.on(channelOf(name), hear);
      return () => {
        ipc.removeListener(channelOf(name), hear);
      };
    },
  };
}
