// Checks the settings of a session of the program on MySQL or MariaDB, so that no value is altered silently, no result is
// cut and no transaction stays open. Used for the program's pools, Kysely instances and transactions. Sessions of the
// adapter need no check, because the adapter sets these settings.
import { type SqlStatement, StorageError } from './storage.ts';

/** Characters of two, three and four bytes. If a character set lacks one of them, the query returns a different text. */
const sample = 'ß日本😀';

/** Reads all settings, and sends the sample text there and back, in one statement. */
export const sessionSettingsQuery: SqlStatement = {
  sql: `select ${[
    '@@autocommit as autocommit',
    '@@sql_mode as sql_mode',
    '@@character_set_client as client_set',
    '@@character_set_connection as connection_set',
    '@@character_set_results as results_set',
    '@@sql_select_limit as select_limit',
    '@@innodb_rollback_on_timeout as rollback_on_timeout',
    '@@completion_type as completion',
    '@@sql_safe_updates as safe_updates',
    '@@sql_big_selects as big_selects',
    '@@unique_checks as unique_checks',
    '@@max_sort_length as sort_length',
    // MySQL and MariaDB name these settings differently. Each server runs only the comment that is meant for it.
    '/*M! @@tx_isolation */ /*!80000 @@transaction_isolation */ as isolation',
    '/*M! @@tx_read_only */ /*!80000 @@transaction_read_only */ as read_only',
    `'${sample}' as sample`,
    `hex('${sample}') as sample_bytes`,
  ].join(', ')}`,
  parameters: [],
};

type Settings = Readonly<Record<string, unknown>>;

interface Requirement {
  /** The fault of the session; undefined if it has none. */
  fault(settings: Settings): string | undefined;
  readonly repair: string;
}

const characterSet = (column: string, name: string): Requirement => ({
  fault: ({ [column]: value }) =>
    value === 'utf8mb4' || (column === 'results_set' && value === null)
      ? undefined
      : `its character set is ${value} (${name}), so texts would be silently corrupted`,
  repair: "give the pool charset: 'utf8mb4', and send no SET CHARACTER SET",
});

const required = (column: string, expected: number, fault: string, repair: string): Requirement => ({
  // The program's driver may be configured to return numbers as text.
  fault: ({ [column]: value }) => (Number(value) === expected ? undefined : fault),
  repair,
});

const withoutMode = (mode: string, consequence: string): Requirement => ({
  fault: ({ sql_mode }) =>
    String(sql_mode).split(',').includes(mode) ? `its sql_mode has ${mode}, ${consequence}` : undefined,
  repair: `take ${mode} out of the sql_mode`,
});

const requirements: readonly Requirement[] = [
  required('autocommit', 1, 'autocommit is 0, so every query would leave a transaction open', 'set autocommit = 1'),
  {
    fault: ({ sql_mode }) =>
      /STRICT_(?:ALL|TRANS)_TABLES/.test(String(sql_mode))
        ? undefined
        : 'its sql_mode is not strict, so values would be silently cut',
    repair: 'add STRICT_TRANS_TABLES',
  },
  withoutMode('EMPTY_STRING_IS_NULL', 'which turns empty texts into null'),
  withoutMode('ORACLE', 'in which statements mean something else'),
  withoutMode('HIGH_NOT_PRECEDENCE', 'in which conditions mean something else'),
  withoutMode('SIMULTANEOUS_ASSIGNMENT', 'in which updates mean something else'),
  characterSet('client_set', 'character_set_client'),
  characterSet('connection_set', 'character_set_connection'),
  characterSet('results_set', 'character_set_results'),
  {
    fault: (settings) =>
      settings['sample'] === sample && settings['sample_bytes'] === Buffer.from(sample).toString('hex').toUpperCase()
        ? undefined
        : 'a text comes back altered, so texts would be silently corrupted',
    repair: "give the pool charset: 'utf8mb4', and leave the encoding of texts to mysql2",
  },
  {
    fault: ({ select_limit }) =>
      Number(select_limit) < Number.MAX_SAFE_INTEGER ? 'sql_select_limit cuts results' : undefined,
    repair: 'set sql_select_limit = default',
  },
  required(
    'rollback_on_timeout',
    0,
    'innodb_rollback_on_timeout is on, so a lock timeout would roll back your transaction unnoticed',
    'turn it off on the server',
  ),
  {
    fault: ({ completion }) =>
      completion === 'NO_CHAIN' || Number(completion) === 0
        ? undefined
        : `completion_type is ${completion}, so COMMIT would begin another transaction or close the connection`,
    repair: 'set completion_type = NO_CHAIN',
  },
  required('safe_updates', 0, 'sql_safe_updates is on, which refuses ordinary updates', 'set sql_safe_updates = 0'),
  required('big_selects', 1, 'sql_big_selects is off, which refuses long queries', 'set sql_big_selects = 1'),
  required('unique_checks', 1, 'unique_checks is off, so a row may be stored twice', 'set unique_checks = 1'),
  {
    fault: ({ sort_length }) =>
      Number(sort_length) < 1024 ? 'max_sort_length is below 1024, so lists would be out of order' : undefined,
    repair: 'set max_sort_length = default',
  },
  {
    fault: ({ isolation }) =>
      isolation === 'READ-UNCOMMITTED'
        ? 'its isolation is READ-UNCOMMITTED, so it would read rows that are rolled back later'
        : undefined,
    repair: 'set the isolation to READ COMMITTED or more',
  },
  required('read_only', 0, 'its transactions are read only (tx_read_only)', 'set session transaction read write'),
];

/** @throws StorageError if the session's settings are unsafe; its message says how to fix them */
export function assertUsableSession([settings]: readonly Settings[]): void {
  if (settings === undefined) return;
  for (const { fault, repair } of requirements) {
    const faultText = fault(settings);
    if (faultText === undefined) continue;
    throw new StorageError(
      'other',
      `This session of the program cannot be used: ${faultText}. Either ${repair}, or give mysqlStorage a uri: then it opens a pool of its own.`,
    );
  }
}
