import { parseArgs } from "node:util";

/** What `npm run seed` is asked for. */
export interface SeedOptions {
  /** How many messages the long chat gets; null: demo data instead. */
  readonly messages: number | null;
}

/** The command line cannot be understood. The message says why and what is allowed. */
export class SeedOptionsError extends Error {}

const DEFAULT_MESSAGES = 1_000_000;
const MESSAGES_MAX = 10_000_000;
const USAGE = `usage: npm run seed [-- --messages <number>]
  without options  fills an empty database with demo data
  --messages       adds one chat with so many messages, ${DEFAULT_MESSAGES} if no number follows, at most ${MESSAGES_MAX}`;

/** Reads the arguments of the command line. Throws `SeedOptionsError`. */
export function readSeedOptions(args: readonly string[]): SeedOptions {
  if (args.length === 1 && args[0] === "--messages") return { messages: DEFAULT_MESSAGES };
  const text = messagesArgument(args);
  if (text === undefined) return { messages: null };
  const messages = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (messages < 1 || messages > MESSAGES_MAX)
    throw new SeedOptionsError(
      `--messages must be a whole number from 1 to ${MESSAGES_MAX}, not "${text}"\n${USAGE}`,
    );
  return { messages };
}

function messagesArgument(args: readonly string[]): string | undefined {
  try {
    return parseArgs({ args: [...args], options: { messages: { type: "string" } } }).values.messages;
  } catch (error) {
    throw new SeedOptionsError(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}
