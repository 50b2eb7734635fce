import { DEMO_LOGINS, DEMO_NAMES, DEMO_TEXTS, type DemoPerson } from "./seed-data.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** Splits a name into its Han characters and their pronunciation. */
function splitName(name: string): { han: string; sound: string } {
  const han = name.replace(/[a-z]/g, "");
  return { han, sound: name.slice(han.length) };
}

function createDemoPerson(random: SeededRandom): DemoPerson {
  const chatLanguage = random.percent(62) ? "zh" : "en";
  const sex = random.below(2);
  const sexName = sex === 0 ? "male" : "female";
  const common = {
    chatLanguage,
    sex,
    signature: random.percent(40) ? random.pick(DEMO_TEXTS[chatLanguage].signatures) : null,
    birthday: random.percent(50)
      ? `${random.between(1962, 2005)}-${twoDigits(random.between(1, 12))}-${twoDigits(random.between(1, 28))}`
      : null,
  } as const;
  if (chatLanguage === "en") {
    const first = random.pick(DEMO_NAMES.firstNames[sexName]);
    const last = random.pick(DEMO_NAMES.lastNames);
    const nickName = random.percent(75) ? `${first} ${last}` : first;
    return { ...common, userName: `${first}${last}`.toLowerCase(), nickName };
  }
  const family = splitName(random.pick(DEMO_NAMES.familyNames));
  const given = splitName(random.pick(DEMO_NAMES.givenNames[sexName]));
  const nickName = random.percent(85) ? family.han + given.han : random.pick(DEMO_NAMES.petNames);
  return { ...common, userName: family.sound + given.sound, nickName };
}

function twoDigits(n: number): string {
  return String(n).padStart(2, "0");
}

/** Creates this many people with unique user names; the logins are the first. */
export function createDemoPeople(random: SeededRandom, count: number): DemoPerson[] {
  const people = DEMO_LOGINS.slice(0, count);
  const taken = new Set(people.map((person) => person.userName));
  while (people.length < count) {
    const person = createDemoPerson(random);
    const userName = taken.has(person.userName)
      ? `${person.userName}${random.between(2, 99)}`
      : person.userName;
    if (taken.has(userName)) continue;
    taken.add(userName);
    people.push({ ...person, userName });
  }
  return people;
}
