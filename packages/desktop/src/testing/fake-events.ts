/** What all fakes of Electron's objects tell their listeners. */
import { EventEmitter } from "node:events";

/** An object that tells events. */
export class Fake {
  readonly #emitter = new EventEmitter();

  /** Electron returns the object for chains, which nobody uses, and a part of an object cannot be the object. */
  on(event: string, listener: (...args: never[]) => void): never {
    this.#emitter.on(event, listener as (...args: unknown[]) => void);
    return undefined as never;
  }

  once(event: string, listener: (...args: never[]) => void): never {
    this.#emitter.once(event, listener as (...args: unknown[]) => void);
    return undefined as never;
  }

  emit(event: string, ...args: unknown[]): void {
    this.#emitter.emit(event, ...args);
  }

  /** The events that somebody listens to. */
  get heard(): string[] {
    return this.#emitter.eventNames().map(String);
  }
}

/** An event that a listener may prevent. */
export class FakeEvent {
  defaultPrevented = false;
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}
