// Writes the font that reserves space for emoticons in the composer. Run it when their number changes; a test fails if you forget it.
import { writeFileSync } from "node:fs";
import { generateEmoticonFont } from "./lib/generate-emoticon-font.ts";

const { file, bytes } = generateEmoticonFont();
writeFileSync(file, bytes);
