import { MESSAGE_KINDS } from "../src/features/chat/message/kinds/kinds.tsx";

/** Every file that contains parts: all of `ui`, the bubbles, and the rows of lists. */
const FILES = import.meta.glob<Record<string, unknown>>(
  [
    "../src/ui/*.tsx",
    "../src/features/chat/message/bubbles/*.tsx",
    "../src/{features,kit}/**/*-row.tsx",
    "!**/*.test.tsx",
  ],
  { eager: true },
);

/** The exported components with the names of their files: functions, and what `memo` makes of them. */
const EXPORTED_PARTS = Object.entries(FILES).flatMap(([path, exported]) =>
  Object.entries(exported).flatMap(([name, value]) => {
    const isComponent = /^[A-Z][a-z]/.test(name) && (typeof value === "function" || isMemo(value));
    return isComponent ? [{ name: `${path.replace("../src/", "")} ${name}`, component: value }] : [];
  }),
);

/** The kinds of messages, whose bubbles are not exported. */
const KIND_PARTS = Object.entries(MESSAGE_KINDS).map(([name, { Bubble }]) => ({
  name: `bubble of ${name}`,
  component: Bubble,
}));

const PARTS = [...EXPORTED_PARTS, ...KIND_PARTS];

function isMemo(value: unknown): boolean {
  return typeof value === "object" && value !== null && "compare" in value && "type" in value;
}

/** The parts of React's tree of components that are read here. */
interface Fiber {
  readonly type: unknown;
  readonly elementType: unknown;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
}

const shown = new Set<unknown>();

function recordShown(fiber: Fiber | null): void {
  for (let current = fiber; current !== null; current = current.sibling) {
    shown.add(current.type);
    // A memoised component has itself as its element type; a lazy one has what was loaded as its type.
    shown.add(current.elementType);
    recordShown(current.child);
  }
}

/** The parts that React has not shown inside this root so far: now, or at an earlier call. */
export function findMissingParts(root: HTMLElement): readonly string[] {
  const [, container] = Object.entries(root).find(([key]) => key.startsWith("__reactContainer$")) ?? [];
  if (container === undefined) throw new Error("React does not show anything here");
  // React has two trees and the container knows the first; what they share knows which of them is shown.
  const { stateNode } = container as { stateNode: { current: Fiber } };
  recordShown(stateNode.current);
  return PARTS.filter(({ component }) => !shown.has(component)).map(({ name }) => name);
}
