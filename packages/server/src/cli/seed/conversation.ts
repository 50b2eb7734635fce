import { DEMO_TEXTS, type DemoLanguage } from "./seed-data.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** A message of a conversation. */
export interface ConversationLine {
  /** Whether the person who started the conversation writes it. */
  isStarter: boolean;
  text: string;
}

/** Creates a conversation of two people. */
export function createConversation(random: SeededRandom, chatLanguage: DemoLanguage): ConversationLine[] {
  const { conversations, placeholders } = DEMO_TEXTS[chatLanguage];
  const fill = templateFiller(random, placeholders);
  return random
    .pick(conversations)
    .map((line) => ({ isStarter: line.startsWith("a"), text: fill(line.slice(1)) }));
}

/** Creates messages of one person that were not answered yet. */
export function createMonologue(random: SeededRandom, chatLanguage: DemoLanguage): string[] {
  const { monologues, placeholders } = DEMO_TEXTS[chatLanguage];
  return random.pick(monologues).map(templateFiller(random, placeholders));
}

/** Fills templates. A placeholder gets the same word in all templates that one filler fills. */
function templateFiller(
  random: SeededRandom,
  placeholders: Record<string, readonly string[]>,
): (template: string) => string {
  const words = new Map<string, string>();
  const wordOf = (name: string): string => {
    const word = words.get(name) ?? random.pick(placeholders[name] ?? [name]);
    words.set(name, word);
    return word;
  };
  return (template) =>
    template
      .replace(/\{([^}]*)\}/g, (_, choices: string) => random.pick(choices.split("|")))
      .replace(/\[(\w+)\]/g, (_, name: string) => wordOf(name));
}
