// The settings that a session of the program must have, so that no value is silently cut or altered and no transaction
// stays open. Checked once for each of its connections; our own sessions are set instead. Knows no SDK.
import { StorageError } from '../../core/contract/ports/storage.ts';
import type { MysqlAnswer } from './mysql-statements.ts';
import { toResult } from './mysql-statements.ts';

export const sessionQuestion = [
  'select @@autocommit as autocommit',
  '@@sql_mode as sql_mode',
  '@@character_set_client as character_set',
  '@@sql_select_limit as select_limit',
  '@@innodb_rollback_on_timeout as rollback_on_timeout',
].join(', ');

/** @throws StorageError with the way out when the session's settings are unsafe */
export function assertUsableSession(answer: MysqlAnswer): void {
  const [row] = toResult(answer).rows;
  if (row === undefined) return;
  if (row['autocommit'] !== 1) {
    refuse('autocommit is 0, so that every look-up would leave a transaction open', 'set autocommit = 1');
  }
  if (!/STRICT_(?:ALL|TRANS)_TABLES/.test(String(row['sql_mode']))) {
    refuse('its sql_mode is not strict, so that values would be cut in silence', 'add STRICT_TRANS_TABLES');
  }
  if (row['character_set'] !== 'utf8mb4') {
    refuse(`its character set is ${row['character_set']}`, "give the pool charset: 'utf8mb4'");
  }
  if (Number(row['select_limit']) < Number.MAX_SAFE_INTEGER) {
    refuse('sql_select_limit cuts answers', 'set sql_select_limit = default');
  }
  if (row['rollback_on_timeout'] !== 0) {
    refuse(
      'innodb_rollback_on_timeout is on, so that a wait for a row would end your transaction behind your back',
      'turn it off on the server',
    );
  }
}

function refuse(what: string, wayOut: string): never {
  throw new StorageError(
    'other',
    `This session of the program cannot be used: ${what}. Either ${wayOut}, or give mysqlStorage a uri: then it opens a pool of its own.`,
  );
}

/** The refusal of a connection whose updates count changed rows only. */
export function countsAltered(): StorageError {
  return new StorageError(
    'other',
    "The connection was made with the flag -FOUND_ROWS, so that an UPDATE counts altered rows only. Leave the flag as mysql2 sets it: take it out of the pool's `flags`.",
  );
}
