import type { Tongue } from "./names.ts";
import type { Chance } from "./random.ts";
import { MONOLOGUES_EN, TALKS_EN, WORDS_EN } from "./talk-en.ts";
import { MONOLOGUES_ZH, TALKS_ZH, WORDS_ZH } from "./talk-zh.ts";

export interface Line {
  /** Whether the one who began the conversation speaks. */
  isStarter: boolean;
  text: string;
}

const TONGUES = {
  zh: { talks: TALKS_ZH, monologues: MONOLOGUES_ZH, words: WORDS_ZH },
  en: { talks: TALKS_EN, monologues: MONOLOGUES_EN, words: WORDS_EN },
};

/** One conversation of two people. */
export function makeTalk(chance: Chance, tongue: Tongue): Line[] {
  const { talks, words } = TONGUES[tongue];
  const write = writer(chance, words);
  return chance.pick(talks).map((line) => ({ isStarter: line.startsWith("a"), text: write(line.slice(1)) }));
}

/** Lines of one person that wait for an answer. */
export function makeMonologue(chance: Chance, tongue: Tongue): string[] {
  const { monologues, words } = TONGUES[tongue];
  return chance.pick(monologues).map(writer(chance, words));
}

/** Makes a line out of its template; a word once chosen stays for all lines of this writer. */
function writer(chance: Chance, words: Record<string, readonly string[]>): (template: string) => string {
  const chosen = new Map<string, string>();
  const word = (name: string): string => {
    const known = chosen.get(name) ?? chance.pick(words[name] ?? [name]);
    chosen.set(name, known);
    return known;
  };
  return (template) =>
    template
      .replace(/\{([^}]*)\}/g, (_, choices: string) => chance.pick(choices.split("|")))
      .replace(/\[(\w+)\]/g, (_, name: string) => word(name));
}
