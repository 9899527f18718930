/*
 * Planted fault (see ../planted.ts): a floor whose SQLite database has synchronous NORMAL, so commits are not durable. It announces this
 * itself. The bench must refuse to measure it.
 */
import { announce, readSettings } from '../contestant.ts';
import { createSqliteAccept } from '../floors/accept-sqlite.ts';

const { database, announcement } = createSqliteAccept(readSettings(), 'variables');
database.pragma('synchronous = NORMAL');
const synchronous = database.pragma('synchronous', { simple: true }) as number;
announce({ ...announcement, durability: { journal_mode: 'wal', synchronous }, port: 9 });
