// Makes the font that keeps the place of emoticons in the field. Run it after a change of their number; a test notices when it was forgotten.
import { writeFileSync } from "node:fs";
import { generateEmoticonFont } from "./lib/generate-emoticon-font.ts";

const { file, bytes } = generateEmoticonFont();
writeFileSync(file, bytes);
