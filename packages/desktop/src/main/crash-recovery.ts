import type { ContentsPart } from "./electron-parts.ts";
import type { Log } from "./log-file.ts";
import type { NativeQuestions } from "./native-questions.ts";

/** Reloads a page that crashed. When it crashes again, the person decides. */
export function recoverFromCrashes(
  contents: Pick<ContentsPart, "on" | "reload">,
  { questions, quit, log }: { questions: NativeQuestions; quit: () => void; log: Log },
): void {
  let hasCrashed = false;
  contents.on("render-process-gone", (_event, { reason, exitCode }) => {
    // The page ended by itself, as at the end of the application.
    if (reason === "clean-exit") return;
    log.error("the page crashed", undefined, { reason, exitCode, isFirst: !hasCrashed });
    if (!hasCrashed) {
      hasCrashed = true;
      contents.reload();
      return;
    }
    questions.askAfterCrash().then(
      (answer) => {
        hasCrashed = false;
        if (answer === "quit") quit();
        else contents.reload();
      },
      (error: unknown) => log.error("the question after a crash failed", error),
    );
  });
}
