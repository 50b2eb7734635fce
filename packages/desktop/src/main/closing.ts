import type { DesktopInput } from "../bridge/desktop-bridge.ts";
import type { Log } from "./log-file.ts";
import type { MainWindow } from "./main-window.ts";
import type { NativeQuestions } from "./native-questions.ts";
import type { PageBridge } from "./page-bridge.ts";
import type { SettingsOfDevice } from "./settings.ts";

/** A page that has not even run an empty script by then cannot show a question. */
const PAGE_REACTION_MS = 5_000;

interface ClosingOptions {
  readonly window: MainWindow;
  readonly bridge: PageBridge;
  readonly settings: SettingsOfDevice;
  readonly questions: NativeQuestions;
  readonly quit: () => void;
  readonly log: Log;
}

/** What happens when the person closes the window. */
export class Closing {
  readonly #options: ClosingOptions;
  #isQuitting = false;
  #isAsking = false;

  constructor(options: ClosingOptions) {
    this.#options = options;
    options.window.native.on("close", (event) => {
      if (this.#isQuitting) return;
      event.preventDefault();
      this.request();
    });
  }

  /** The application ends: from now on the window closes without a question. */
  beginQuit(): void {
    this.#isQuitting = true;
  }

  /** Does what the person chose for closing, or asks. */
  request(): void {
    const { settings, bridge, window } = this.#options;
    const { closeAction } = settings.current;
    if (closeAction !== "ask") this.#act(closeAction);
    else if (bridge.tell("closeRequested", null)) {
      // It may have been closed in the taskbar, and nobody sees a question in a window that is minimised.
      window.show();
      this.#watchPage();
    } else this.#askNatively();
  }

  /** The person has answered in the page. */
  confirm({ action, isRemembered }: DesktopInput<"confirmClose">): void {
    if (isRemembered) this.#options.settings.change({ closeAction: action });
    this.#act(action);
  }

  #act(action: "quit" | "hide"): void {
    if (action === "quit") this.#options.quit();
    else void this.#options.window.putAway();
  }

  /** Nothing tells that a page hangs before somebody clicks into it, so ask it to do something. */
  #watchPage(): void {
    const { window, log } = this.#options;
    const timer = setTimeout(() => {
      log.error("the page does not react");
      this.#askNatively();
    }, PAGE_REACTION_MS);
    window.native.webContents.executeJavaScript("null").then(
      () => clearTimeout(timer),
      // A page that ended; the timer asks.
      (error: unknown) => log.error("the page ended before it could ask", error),
    );
  }

  #askNatively(): void {
    const { questions, log } = this.#options;
    if (this.#isAsking) return;
    this.#isAsking = true;
    questions
      .askClosing()
      .then((answer) => {
        if (answer !== null) this.confirm(answer);
      })
      .catch((error: unknown) => log.error("the question about closing failed", error))
      .finally(() => {
        this.#isAsking = false;
      });
  }
}
