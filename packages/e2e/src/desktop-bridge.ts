import type { BrowserContext, Page } from "@playwright/test";
import type {
  DesktopBridge,
  DesktopEvent,
  DesktopEventContent,
  DesktopInput,
  DesktopOutput,
  DesktopRequest,
} from "@parley/desktop/bridge/desktop-bridge";

/** What the fake main process answers, by request. */
type Answers = { [Name in DesktopRequest]: DesktopOutput<Name> };

interface FakeDesktop extends DesktopBridge {
  /** In the order of their arrival. */
  readonly requests: { readonly name: DesktopRequest; readonly input: unknown }[];
  readonly answers: Answers;
  tell(name: DesktopEvent, content: unknown): void;
}

/** The answers of an application at its first start. */
const ANSWERS: Answers = {
  start: {
    settings: { closeAction: "ask", drawsAttention: true, opensAtLogin: false, zoomPercent: 100 },
    window: { isMaximized: false, isFullScreen: false, isFocused: true },
    link: null,
  },
  changeSettings: { closeAction: "ask", drawsAttention: true, opensAtLogin: false, zoomPercent: 100 },
  controlWindow: null,
  confirmClose: null,
  setLanguage: null,
  setUnread: null,
  drawAttention: null,
  showNotification: true,
  closeNotification: null,
  captureScreen: { kind: "failed" },
  chooseScreen: null,
  sealSecret: null,
  openSecret: null,
};

export interface DesktopOptions {
  readonly platform?: DesktopBridge["platform"];
  readonly answers?: Partial<Answers>;
}

/** Gives all pages of this context the bridge of a desktop application whose main process is a list of answers. */
export async function useFakeDesktop(
  context: BrowserContext,
  { platform = "linux", answers = {} }: DesktopOptions = {},
): Promise<void> {
  await context.addInitScript(
    ({ platform, answers }) => {
      const listeners = new Map<string, Set<(content: unknown) => void>>();
      const fake = {
        platform,
        answers,
        requests: [] as { name: string; input: unknown }[],
        request: async (name: keyof typeof answers, input: unknown) => {
          fake.requests.push({ name, input });
          if (name === "changeSettings")
            return { ...Object.assign(answers.start.settings, input as typeof answers.start.settings) };
          return answers[name];
        },
        on: (name: string, listener: (content: unknown) => void) => {
          const known = listeners.get(name) ?? new Set();
          listeners.set(name, known.add(listener));
          return () => known.delete(listener);
        },
        tell: (name: string, content: unknown) => {
          for (const listener of listeners.get(name) ?? []) listener(content);
        },
      };
      Object.assign(window, { parleyDesktop: fake });
    },
    { platform, answers: { ...ANSWERS, ...answers } },
  );
}

/** The inputs with which the page has made this request so far. */
export async function desktopInputs<Name extends DesktopRequest>(
  page: Page,
  name: Name,
): Promise<DesktopInput<Name>[]> {
  return (await page.evaluate((wanted) => {
    const { requests } = (window as unknown as { parleyDesktop: FakeDesktop }).parleyDesktop;
    return requests.filter((request) => request.name === wanted).map(({ input }) => input);
  }, name)) as DesktopInput<Name>[];
}

/** Tells the page something, as the main process does. */
export async function tellPage<Name extends DesktopEvent>(
  page: Page,
  name: Name,
  content: DesktopEventContent<Name>,
): Promise<void> {
  await page.evaluate(
    ([name, content]) =>
      (window as unknown as { parleyDesktop: FakeDesktop }).parleyDesktop.tell(name, content),
    [name, content] as const,
  );
}

/** Replaces what the fake main process answers from now on; bytes are possible here, and are not in `useFakeDesktop`. */
export async function setDesktopAnswer<Name extends DesktopRequest>(
  page: Page,
  name: Name,
  answer: DesktopOutput<Name>,
): Promise<void> {
  await page.evaluate(
    ([name, answer]) =>
      Object.assign((window as unknown as { parleyDesktop: FakeDesktop }).parleyDesktop.answers, {
        [name]: answer,
      }),
    [name, answer] as const,
  );
}
