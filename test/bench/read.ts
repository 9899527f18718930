/*
 * Workload: one small read through the whole pipeline, GET /v1/workspace with a bearer key.
 * `npx tsx test/bench/read.ts --rounds 3 --seconds 3`
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { measure, readOptions } from './measure.ts';

await measure(
  {
    name: 'read',
    floor: join(import.meta.dirname, 'floors', 'read-fastify.ts'),
    orientation: [],
    // Ten in flight: with one, the sockets of both sides would cost more than the measured pipeline.
    pipeline: 10,
    echo: false,
    durable: false,
    requests: ({ keys }) =>
      keys.map((key) => `GET /v1/workspace HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`),
    admit: async ({ name, announcement }) => {
      const answer = await fetch(`http://127.0.0.1:${announcement.port}/v1/workspace`, {
        headers: { authorization: `Bearer ${announcement.keys[0]}` },
      });
      const body = (await answer.json()) as Record<string, unknown>;
      assert.equal(answer.status, 200, name);
      const fields = ['id', 'name', 'plan', 'created_at', 'limits', 'default_from', 'usage', 'features'];
      for (const field of fields) assert.ok(field in body, `${name} answers ${field}`);
      return { accepted: 0, suppressed: 0 };
    },
    expectedRows: () => ({}),
  },
  readOptions(),
);
