// The MariaDB or MySQL that tests use: POSTRIDER_TEST_MYSQL, or the local server. Each caller uses a separate database. If the server is
// missing, the tests are skipped, or this throws an error if POSTRIDER_TEST_SERVICES is `required`.
import { randomBytes } from 'node:crypto';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { findService } from './services.ts';

export const mysqlUrl = process.env.POSTRIDER_TEST_MYSQL ?? 'mysql://root@127.0.0.1:3306';

/** True if the tests can run. Prints a line once if they cannot. */
export async function hasMysql(): Promise<boolean> {
  const isAvailable = await findService('the tests on MariaDB', async () => {
    const connection = await createConnection({ uri: mysqlUrl, connectTimeout: 3000 });
    await connection.end();
    return true;
  });
  return isAvailable === true;
}

/** Runs one statement on a separate connection. */
export async function queryOnOtherMysqlConnection(
  text: string,
  values: (string | number)[] = [],
): Promise<RowDataPacket[]> {
  const connection = await createConnection({ uri: mysqlUrl });
  try {
    const [rows] = await connection.query<RowDataPacket[]>(text, values);
    return rows;
  } finally {
    await connection.end();
  }
}

/** The address of a database on the server. */
export function mysqlUrlOf(database: string): string {
  const url = new URL(mysqlUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Creates a database that no other test uses. Its default character set is unusual, so that tables must name their own. */
export async function createMysqlDatabase(characterSet: 'utf8mb4' | 'latin1' = 'latin1'): Promise<string> {
  const name = `suite_${randomBytes(8).toString('hex')}`;
  await queryOnOtherMysqlConnection(`create database ${name} character set ${characterSet}`);
  return name;
}

export async function dropMysqlDatabase(name: string): Promise<void> {
  await queryOnOtherMysqlConnection(`drop database if exists ${name}`);
}
