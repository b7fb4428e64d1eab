// Writes the icons that pages use. Format the file with Biome afterwards; a test compares it with the set.
import { writeFileSync } from "node:fs";
import { ICONS_FILE, readIcons, writeIcons } from "./generated-icons.ts";

writeFileSync(ICONS_FILE, writeIcons(readIcons()));
