// Prints how Han characters sound into the web client's table. Run it after a new version of pinyin-pro; a test notices when it was forgotten.
import { writeFileSync } from "node:fs";
import { printedPinyin } from "./lib/printed-pinyin.ts";

const { file, text } = printedPinyin();
writeFileSync(file, text);
