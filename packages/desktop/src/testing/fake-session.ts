/** What pages may do, ask and load. */
import type { Streams } from "electron";
import type { SessionPart } from "../main/electron-parts.ts";
import { Fake } from "./fake-events.ts";

type CheckHandler = Parameters<SessionPart["setPermissionCheckHandler"]>[0];
type PermissionHandler = Parameters<SessionPart["setPermissionRequestHandler"]>[0];
type Permission = Parameters<NonNullable<PermissionHandler>>[1];
type ShareHandler = Parameters<SessionPart["setDisplayMediaRequestHandler"]>[0];

/** Which frame wants something. */
interface FakeFrame {
  origin?: string;
  isMainFrame?: boolean;
}

export class FakeSession extends Fake implements SessionPart {
  isSpellingChecked = true;
  #checkHandler: CheckHandler = null;
  #permissionHandler: PermissionHandler = null;
  #shareHandler: ShareHandler = null;

  setDisplayMediaRequestHandler(handler: ShareHandler): void {
    this.#shareHandler = handler;
  }
  setPermissionCheckHandler(handler: CheckHandler): void {
    this.#checkHandler = handler;
  }
  setPermissionRequestHandler(handler: PermissionHandler): void {
    this.#permissionHandler = handler;
  }
  setSpellCheckerEnabled(isOn: boolean): void {
    this.isSpellingChecked = isOn;
  }
  /** Whether a page has the permission. As Electron, it has without a handler. */
  isPermitted(
    permission: Permission,
    { origin = "app://parley", isMainFrame = true }: FakeFrame = {},
  ): boolean {
    return this.#checkHandler?.(null, permission, origin, { isMainFrame }) ?? true;
  }
  /** A page asks for the permission. */
  askPermission(
    permission: Permission,
    { origin = "app://parley", isMainFrame = true }: FakeFrame = {},
    mediaTypes: ("audio" | "video")[] = [],
  ): Promise<boolean> {
    return new Promise((resolve) => {
      // No handler needs to know the page: it has the frame.
      const details = { isMainFrame, requestingUrl: `${origin}/`, mediaTypes };
      this.#permissionHandler?.(undefined as never, permission, resolve, details);
    });
  }
  /** A page calls `getDisplayMedia`. */
  shareScreen({ origin = "app://parley", hasAudio = false } = {}): Promise<Streams | null> {
    return new Promise((resolve) => {
      const request = { frame: null, securityOrigin: `${origin}/`, videoRequested: true, userGesture: true };
      this.#shareHandler?.({ ...request, audioRequested: hasAudio }, resolve);
    });
  }
}

/** The sender of a request: the page itself, unless the test says otherwise. */
export interface FakeSender {
  id?: number;
  origin?: string;
  isSubframe?: boolean;
}

export class FakeIpcMain {
  readonly #handlers = new Map<string, (event: never, input: unknown) => unknown>();

  handle(channel: string, handler: (event: never, input: unknown) => unknown): void {
    this.#handlers.set(channel, handler);
  }
  /** Sends a request as a page does. */
  async invoke(name: string, input: unknown, sender: FakeSender = {}): Promise<unknown> {
    const handler = this.#handlers.get(`parley:${name}`);
    if (handler === undefined) throw new Error(`nobody answers ${name}`);
    const senderFrame = {
      origin: sender.origin ?? "app://parley",
      parent: sender.isSubframe === true ? {} : null,
    };
    return handler({ sender: { id: sender.id ?? 1 }, senderFrame } as never, input);
  }
}

export class FakeProtocol {
  readonly privileged: string[] = [];
  readonly handlers = new Map<string, (request: Request) => Response | Promise<Response>>();

  handle(scheme: string, handler: (request: Request) => Response | Promise<Response>): void {
    this.handlers.set(scheme, handler);
  }
  registerSchemesAsPrivileged(schemes: { scheme: string }[]): void {
    this.privileged.push(...schemes.map(({ scheme }) => scheme));
  }
}
