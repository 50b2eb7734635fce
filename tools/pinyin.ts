// Writes the web client's table of pinyin syllables. Run it after an update of pinyin-pro; a test fails if you forget it.
import { writeFileSync } from "node:fs";
import { generatePinyin } from "./lib/generate-pinyin.ts";

const { file, text } = generatePinyin();
writeFileSync(file, text);
