import type { DesktopBridge, DesktopInput, DesktopRequest } from "@parley/desktop/bridge/desktop-bridge";

/** Makes a request whose answer says nothing. A failure is an error of the program. */
export function tellDesktop<Name extends DesktopRequest>(
  bridge: DesktopBridge,
  name: Name,
  input: DesktopInput<Name>,
): void {
  bridge.request(name, input).catch(reportError);
}
