/*
 * Planted fault: the floor's database with synchronous NORMAL, as its own writer reports. The frame must not start it.
 */
import { announce, readSettings } from '../contestant.ts';
import { createSqliteAccept } from '../floors/accept-sqlite.ts';

const { database, announcement } = createSqliteAccept(readSettings(), 'variables');
database.pragma('synchronous = NORMAL');
const synchronous = database.pragma('synchronous', { simple: true }) as number;
announce({ ...announcement, durability: { journal_mode: 'wal', synchronous }, port: 9 });
