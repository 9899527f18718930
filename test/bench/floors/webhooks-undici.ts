/*
 * Floors of the webhook fan-out: the same signed bodies posted with undici's pool, ten at a time, and the same with a
 * durable row for each delivery, written in batches. No queue, no retry, no guard.
 */
import { createHmac } from 'node:crypto';
import Database from 'better-sqlite3';
import { Pool } from 'undici';

export interface PostedBody {
  readonly id: string;
  readonly text: string;
}

/** Bodies of about 900 bytes. */
export const bodiesOf = (count: number): PostedBody[] =>
  Array.from({ length: count }, (_, index) => {
    const id = `evt_${String(index).padStart(26, '0')}`;
    const text = JSON.stringify({
      id,
      type: 'parcel.moved',
      timestamp: new Date().toISOString(),
      workspace_id: 'ws_01JD0C8Z4V6QK3M9T2X5R7W8YB',
      source: 'service',
      data: { parcel: 'p'.repeat(700) },
    });
    return { id, text };
  });

const connections = 10;
const key = 'a secret of the floor, thirty-two';

/** Posts all bodies. Returns the elapsed milliseconds. `onPosted` is called for each. */
async function post(url: string, bodies: readonly PostedBody[], onPosted: (body: PostedBody) => void): Promise<number> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const began = performance.now();
  const waiting = bodies.values();
  const poster = async (): Promise<void> => {
    for (const body of waiting) {
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const hex = createHmac('sha256', key).update(`t=${timestamp}|${body.text}`).digest('hex');
      const standard = createHmac('sha256', key).update(`${body.id}.${timestamp}.${body.text}`).digest('base64');
      const response = await pool.request({
        method: 'POST',
        path: pathname,
        headers: {
          'content-type': 'application/json',
          'x-postrider-signature': `v1=${hex}`,
          'x-postrider-timestamp': timestamp,
          'webhook-id': body.id,
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,${standard}`,
        },
        body: body.text,
      });
      if (response.statusCode !== 200) throw new Error(`The sink answered ${response.statusCode}.`);
      await response.body.dump();
      onPosted(body);
    }
  };
  await Promise.all(Array.from({ length: connections }, poster));
  const took = performance.now() - began;
  await pool.close();
  return took;
}

export const postAll = (url: string, bodies: readonly PostedBody[]): Promise<number> =>
  post(url, bodies, () => undefined);

/** Posts all bodies and writes their rows, a hundred at a time, with synchronous FULL. */
export async function postAllWithRows(url: string, bodies: readonly PostedBody[], filename: string): Promise<number> {
  const database = new Database(filename);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('create table deliveries (id text primary key, body text, status integer, at integer)');
  const insert = database.prepare('insert into deliveries values (?, ?, ?, ?)');
  const write = database.transaction((rows: readonly PostedBody[]) => {
    for (const { id, text } of rows) insert.run(id, text, 200, Date.now());
  });
  let postedIds: PostedBody[] = [];
  const took = await post(url, bodies, (body) => {
    postedIds.push(body);
    if (postedIds.length < 100) return;
    write(postedIds);
    postedIds = [];
  });
  write(postedIds);
  database.close();
  return took;
}
