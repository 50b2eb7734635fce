// Prints how Han characters sound into the web client's table. Run it after a new version of pinyin-pro; a test notices when it was forgotten.
import { writeFileSync } from "node:fs";
import { generatePinyin } from "./lib/generate-pinyin.ts";

const { file, text } = generatePinyin();
writeFileSync(file, text);
