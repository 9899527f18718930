// Shows rows as the API does, from the resource's schema: columns under their wire names, times as ISO 8601.
import type { z } from 'zod';
import { toIsoTime } from '../contract/schemas/fields.ts';
import { fieldNamesOf } from '../contract/schemas/lazy-schema.ts';
import type { RowOf, TableDefinition } from './table.ts';

/** The column of a field: `createdAt` is `created_at`, because columns are always snake_case. */
export const columnName = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Fields of a resource that differ from the column of their name. */
export type Overrides<Row, S extends z.ZodObject> = {
  readonly [K in keyof z.input<S>]?: (row: Row) => z.input<S>[K];
};

/**
 * Creates a function that shows a table's rows, or their columns `C`, as a resource. Each field of the schema is the
 * column of that name (`closesAt` is `closes_at`), unless `overrides` has a function for it.
 * @throws TypeError when it is created, if a field has neither a column nor an override
 * @example const present = presenter(notes, noteResource, { url: (row) => `/n/${row.id}` });
 */
export function presenter<
  D extends TableDefinition,
  S extends z.ZodObject,
  C extends keyof D['definitions'] = keyof D['definitions'],
>(table: D, resource: S, overrides: Overrides<Pick<RowOf<D>, C>, S> = {}): (row: Pick<RowOf<D>, C>) => z.input<S> {
  type Show = (row: Readonly<Record<string, unknown>>) => unknown;
  const overridesByField = overrides as Readonly<Record<string, Show | undefined>>;
  const fields = fieldNamesOf(resource).map((field): [string, Show] => {
    const override = overridesByField[field];
    if (override !== undefined) return [field, override];
    const name = columnName(field);
    const definition = table.definitions[name];
    if (definition === undefined)
      throw new TypeError(
        `The resource's field ${field} is not a column of ${table.name}: set its value in overrides.`,
      );
    if (definition.kind !== 'time') return [field, (row) => row[name]];
    return [field, (row) => (row[name] === null ? null : toIsoTime(row[name] as number))];
  });
  return (row) => Object.fromEntries(fields.map(([field, show]) => [field, show(row as never)])) as z.input<S>;
}
