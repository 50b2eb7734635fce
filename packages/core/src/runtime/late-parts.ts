import { createGroupActs } from "./group-acts.ts";
import type { LateParts } from "./late.ts";
import { createPeopleActs } from "./people-acts.ts";
import { createSearch } from "./search.ts";
import { createTidyWork } from "./tidy-work.ts";

export const LATE_PARTS: LateParts = { createGroupActs, createPeopleActs, createSearch, createTidyWork };
