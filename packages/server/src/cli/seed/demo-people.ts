import type { SeededRandom } from "./seeded-random.ts";

/** A language in which demo people write. */
export type DemoLanguage = "zh" | "en";

/** A person of the demo data. */
export interface DemoPerson {
  userName: string;
  nickName: string;
  /** The language in which the person writes. */
  chatLanguage: DemoLanguage;
  sex: number;
  signature: string | null;
  birthday: string | null;
}

/** Family and given names with their pronunciation, from which user names are made. */
const FAMILY_NAMES =
  "王wang 李li 张zhang 刘liu 陈chen 杨yang 赵zhao 黄huang 周zhou 吴wu 徐xu 孙sun 胡hu 朱zhu 高gao 林lin 何he 郭guo 马ma 罗luo 梁liang 宋song 郑zheng 谢xie 韩han 唐tang 冯feng 于yu 董dong 萧xiao 程cheng 曹cao 袁yuan 邓deng 许xu 傅fu 沈shen 曾zeng 彭peng 吕lv 苏su 卢lu 蒋jiang 蔡cai 贾jia 丁ding 魏wei 薛xue 叶ye 阎yan".split(
    " ",
  );
const MALE_GIVEN_NAMES =
  "浩然haoran 一帆yifan 子轩zixuan 志远zhiyuan 建国jianguo 宇航yuhang 俊杰junjie 明哲mingzhe 天佑tianyou 文博wenbo 思源siyuan 家豪jiahao 晨曦chenxi 睿rui 磊lei 涛tao 鹏飞pengfei 国栋guodong 振华zhenhua 嘉树jiashu 立新lixin 伟wei 泽宇zeyu 景行jingxing".split(
    " ",
  );
const FEMALE_GIVEN_NAMES =
  "晓xiao 雨桐yutong 梓涵zihan 思琪siqi 静怡jingyi 佳宁jianing 欣妍xinyan 婉清wanqing 小曼xiaoman 若溪ruoxi 雅琴yaqin 美玲meiling 诗涵shihan 梦洁mengjie 语嫣yuyan 秀英xiuying 芳fang 敏min 海燕haiyan 子衿zijin 可欣kexin 丽娜lina 书瑶shuyao 安然anran".split(
    " ",
  );
const MALE_FIRST_NAMES =
  "James Oliver Noah Liam Ethan Lucas Henry Samuel Daniel Thomas Jack Leo Adam Ryan Marcus Felix Owen Victor Simon Patrick".split(
    " ",
  );
const FEMALE_FIRST_NAMES =
  "Emma Olivia Sophia Grace Chloe Hannah Alice Julia Laura Nina Maya Zoe Ruby Clara Eva Megan Rachel Iris Holly Fiona".split(
    " ",
  );
const LAST_NAMES =
  "Clark Walker Hughes Bennett Foster Murphy Reed Cooper Ward Bailey Grant Ellis Palmer Shaw Brooks Hayes Doyle Novak Rossi Keller Larsen Okafor Silva Patel Weber Moreau".split(
    " ",
  );

const PET_NAMES = "小鹿 阿浩 大白 团子 橘子汽水 老周 北岸 一只柚子 南风 山茶 慢半拍 豆浆油条".split(" ");
const SIGNATURES: Record<DemoLanguage, readonly string[]> = {
  zh: [
    "慢慢来，比较快。",
    "今天也要好好吃饭",
    "在路上",
    "读书、跑步、发呆",
    "请留言，看到就回",
    "周末勿扰，人在山里 ⛰️",
    "凡是过往，皆为序章",
    "猫奴一枚 🐱",
  ],
  en: [
    "Mostly coffee.",
    "Back after lunch",
    "Runner, reader, terrible cook",
    "Away on weekends",
    "Learning Chinese, be patient 🙂",
    "Ask me about houseplants",
    "On call this week",
  ],
};

/** The first three people can log in. */
export const DEMO_LOGINS: readonly DemoPerson[] = [
  {
    userName: "linxiao",
    nickName: "林晓",
    chatLanguage: "zh",
    sex: 1,
    signature: "今天也要好好吃饭",
    birthday: "1994-05-18",
  },
  {
    userName: "emmaclark",
    nickName: "Emma Clark",
    chatLanguage: "en",
    sex: 1,
    signature: "Learning Chinese, be patient 🙂",
    birthday: "1992-11-02",
  },
  {
    userName: "chenyifan",
    nickName: "陈一帆",
    chatLanguage: "zh",
    sex: 0,
    signature: "在路上",
    birthday: "1990-08-23",
  },
];

/** Splits a name into its Han characters and their pronunciation. */
function splitName(name: string): { han: string; sound: string } {
  const han = name.replace(/[a-z]/g, "");
  return { han, sound: name.slice(han.length) };
}

function createDemoPerson(random: SeededRandom): DemoPerson {
  const chatLanguage = random.percent(62) ? "zh" : "en";
  const sex = random.below(2);
  const common = {
    chatLanguage,
    sex,
    signature: random.percent(40) ? random.pick(SIGNATURES[chatLanguage]) : null,
    birthday: random.percent(50)
      ? `${random.between(1962, 2005)}-${twoDigits(random.between(1, 12))}-${twoDigits(random.between(1, 28))}`
      : null,
  } as const;
  if (chatLanguage === "en") {
    const first = random.pick(sex === 0 ? MALE_FIRST_NAMES : FEMALE_FIRST_NAMES);
    const last = random.pick(LAST_NAMES);
    const nickName = random.percent(75) ? `${first} ${last}` : first;
    return { ...common, userName: `${first}${last}`.toLowerCase(), nickName };
  }
  const family = splitName(random.pick(FAMILY_NAMES));
  const given = splitName(random.pick(sex === 0 ? MALE_GIVEN_NAMES : FEMALE_GIVEN_NAMES));
  const nickName = random.percent(85) ? family.han + given.han : random.pick(PET_NAMES);
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
