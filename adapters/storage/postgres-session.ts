// The settings that a Postgres database and its sessions must have, so that texts and bytes are stored unchanged and tables are
// found. Checked once when a storage is opened. Knows no SDK and sends nothing.
import { StorageError } from '../../core/contract/ports/storage.ts';

const names = ['server_encoding', 'client_encoding', 'bytea_output', 'search_path'] as const;

export const postgresSettingsQuery = `select ${names
  .map((name) => `current_setting('${name}') as ${name}`)
  .join(
    ', ',
  )}, current_setting('default_transaction_read_only') as read_only, current_schema()::text as current_schema`;

function refuse(reason: string, solution: string): never {
  throw new StorageError('other', `This Postgres database cannot be used: ${reason}. ${solution}`);
}

/** @param schema - the schema that statements name; undefined if the search_path finds it. @throws StorageError */
export function assertUsablePostgres([settings]: readonly Record<string, unknown>[], schema: string | undefined): void {
  if (settings === undefined) return;
  const { server_encoding, client_encoding, bytea_output, search_path, read_only, current_schema } = settings;
  if (server_encoding !== 'UTF8')
    refuse(
      `its encoding is ${server_encoding}, which cannot keep every text`,
      "Make a new one: create database … encoding 'UTF8' template template0.",
    );
  if (client_encoding !== 'UTF8' && client_encoding !== 'UNICODE')
    refuse(
      `client_encoding is ${client_encoding}, and the driver reads and writes UTF8`,
      'Reset it for this role, database and pool.',
    );
  if (bytea_output !== 'hex')
    refuse(`bytea_output is ${bytea_output}`, 'Set it to hex for this role, database and pool.');
  if (schema === undefined && typeof current_schema !== 'string')
    refuse(
      `its search_path (${search_path === '' ? 'empty' : search_path}) does not contain a schema that exists and that this role may use`,
      'Create the schema, grant USAGE on it, or name one: postgresStorage({ …, schema }).',
    );
  if (read_only === 'on')
    refuse(
      'default_transaction_read_only is on, so that nothing can be stored',
      'Turn it off for this role, database and pool.',
    );
}
