/** Each endpoint, and what comes of calling it with ids of other people's things. */
import type { EndpointName } from "@parley/protocol/endpoints/all";
import { GROUP_ROWS } from "./group-rows.ts";
import { MESSAGE_ROWS } from "./message-rows.ts";
import { PEOPLE_ROWS } from "./people-rows.ts";
import type { Row } from "./row.ts";

export const ROWS: { readonly [N in EndpointName]: Row<N> } = {
  ...PEOPLE_ROWS,
  ...GROUP_ROWS,
  ...MESSAGE_ROWS,
};
