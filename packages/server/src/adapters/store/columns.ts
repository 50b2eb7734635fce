/** The columns that hold the fields of a port's row. A boolean is 0 or 1. */
export type Columns<Row> = { [Field in keyof Row]: Row[Field] extends boolean ? number : Row[Field] };
