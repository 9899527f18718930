// A plugin whose statements come from the program's own copy of Kysely, while the package contains another one.
import { sql } from 'kysely';
import { defineOperation, definePlugin, defineScopes, z } from 'postrider';
import { createTestService } from 'postrider/testing';

const count = defineOperation({
  id: 'count.keys',
  summary: 'Count the keys',
  http: 'GET /v1/count',
  scopes: ['count:read'],
  idempotency: 'read',
  output: z.object({ n: z.number(), refusal: z.string() }),
  fixture: async () => ({}),
  async handler({ trx: { db } }) {
    const rows = await db
      .selectFrom('api_keys')
      .select(({ fn }) => fn.countAll().as('n'))
      .where(sql`length(id)`, '>', sql`${2}`)
      .execute();
    const refusal = await sql`select id from ${sql.table('api_keys')}`.execute(db).then(
      () => '',
      (error) => error.message,
    );
    return { n: Number(rows[0].n), refusal };
  },
});

const scopes = defineScopes([{ scope: 'count:read', description: 'Count keys' }]);
const service = await createTestService({ plugins: [definePlugin({ id: 'count', scopes, operations: [count] })] });
const { body } = await service.request('/v1/count');
await service.close();
console.log(JSON.stringify(body));
