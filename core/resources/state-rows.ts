// Connects the rows of a declared table to a state machine. Called by plugins, for `defineStates(...).move(...)`.
import type { WorkspaceHandle } from '../contract/context/handle.ts';
import type { StateRows } from '../contract/declaration/states.ts';
import type { TenantRows } from './rows.ts';
import { encodeRow } from './table.ts';

/**
 * A table's rows for a state machine: `postStates.move(stateRows(posts, ctx.trx), { id, to: 'ready', notFoundError })`.
 * @param column the column that contains the state (Default: state)
 */
export function stateRows<Row extends object, Column extends keyof Row & string = 'state' & keyof Row>(
  rows: TenantRows<Row>,
  handle: WorkspaceHandle,
  column: Column = 'state' as Column,
): StateRows<Row[Column] & string, Partial<Omit<Row, Column>>> {
  type State = Row[Column] & string;
  const { name, key } = rows.table;
  return {
    async stateOf(id) {
      const row = await rows.find(handle, id);
      return row?.[column] as State | undefined;
    },
    async change(id, from, to, set) {
      const { numUpdatedRows } = await handle.db
        // Kysely's types need a known table: any known table works.
        .updateTable(name as 'jobs')
        .set({ ...encodeRow(rows.table, set), [column]: to } as never)
        .where(key as 'id', '=', id)
        .where(column as 'state', 'in', [...from] as never)
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
  };
}
