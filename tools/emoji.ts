// Writes the web client's lists of emoji. Run it after an update of emojibase-data; a test fails if you forget it.
import { writeFileSync } from "node:fs";
import { generateEmoji } from "./lib/generate-emoji.ts";

for (const { file, text } of generateEmoji()) writeFileSync(file, text);
