import type { DemoLanguage } from "./demo-people.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { MONOLOGUES_EN, CONVERSATIONS_EN, PLACEHOLDERS_EN } from "./conversation-en.ts";
import { MONOLOGUES_ZH, CONVERSATIONS_ZH, PLACEHOLDERS_ZH } from "./conversation-zh.ts";

export interface ConversationLine {
  /** Whether the one who began the conversation speaks. */
  isStarter: boolean;
  text: string;
}

const TEXTS_BY_LANGUAGE = {
  zh: { talks: CONVERSATIONS_ZH, monologues: MONOLOGUES_ZH, words: PLACEHOLDERS_ZH },
  en: { talks: CONVERSATIONS_EN, monologues: MONOLOGUES_EN, words: PLACEHOLDERS_EN },
};

/** One conversation of two people. */
export function createConversation(random: SeededRandom, chatLanguage: DemoLanguage): ConversationLine[] {
  const { talks, words } = TEXTS_BY_LANGUAGE[chatLanguage];
  const write = writer(random, words);
  return random.pick(talks).map((line) => ({ isStarter: line.startsWith("a"), text: write(line.slice(1)) }));
}

/** Lines of one person that wait for an answer. */
export function createMonologue(random: SeededRandom, chatLanguage: DemoLanguage): string[] {
  const { monologues, words } = TEXTS_BY_LANGUAGE[chatLanguage];
  return random.pick(monologues).map(writer(random, words));
}

/** Makes a line out of its template; a word once chosen stays for all lines of this writer. */
function writer(
  random: SeededRandom,
  words: Record<string, readonly string[]>,
): (template: string) => string {
  const chosen = new Map<string, string>();
  const word = (name: string): string => {
    const known = chosen.get(name) ?? random.pick(words[name] ?? [name]);
    chosen.set(name, known);
    return known;
  };
  return (template) =>
    template
      .replace(/\{([^}]*)\}/g, (_, choices: string) => random.pick(choices.split("|")))
      .replace(/\[(\w+)\]/g, (_, name: string) => word(name));
}
