// Announcements to every workspace: changelog entries and deprecation notices, each of which a workspace gets once.
// full-run: slow
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { deprecatedField } from '../../core/contract/declaration/deprecation.ts';
import { defineOperation } from '../../core/contract/declaration/operation.ts';
import { definePlugin, type Plugin } from '../../core/contract/declaration/plugin.ts';
import { isPostriderError } from '../../core/contract/errors/errors.ts';
import { createScheduleContext } from '../../core/jobs/schedule-context.ts';
import type { Service } from '../../core/kernel/compose.ts';
import { createRegistry } from '../../core/kernel/registry.ts';
import { setInterests } from '../../core/pipeline/event-interests.ts';
import { openapiDocument } from '../../core/projections/openapi.ts';
import { oneSide } from '../../core/storage/scope.ts';
import { createTestService, type TestService } from '../../hosts/testing/test-service.ts';
import { eachDatabase, type TestDatabase } from '../support/databases.ts';

const hour = 3_600_000;
const deprecationDates = { since: '2026-01-01', sunset: '2026-12-01', link: 'https://example.com/notice' };
const laterDeprecation = { ...deprecationDates, since: '2026-02-01' };

/** A plugin with a deprecated operation and two deprecated fields: one of an object with an id, one of a body. */
function oldPlugin(notice = deprecationDates): Plugin<'old'> {
  const box = z
    .object({ size: z.int(), width: deprecatedField(z.int().optional().describe('Use size.'), deprecationDates) })
    .meta({ id: 'OldBox' });
  return definePlugin({
    id: 'old',
    scopes: [{ scope: 'old:write', description: 'Writes.' }],
    operations: [
      defineOperation({
        id: 'old.pack',
        summary: 'Pack a box',
        http: 'POST /v1/old',
        scopes: ['old:write'],
        idempotency: 'replay',
        deprecated: notice,
        input: {
          body: z.object({ to: z.string(), address: deprecatedField(z.string().optional(), deprecationDates) }),
        },
        output: z.object({ box, boxes: z.array(box) }),
        audit: { action: 'old.pack', target: () => ({ kind: 'box', id: 'b' }) },
        fixture: async () => ({ body: { to: 'a' } }),
        handler: async () => ({ box: { size: 1 }, boxes: [] }),
      }),
    ],
  });
}

const deprecatedParts = ['OldBox.width', 'old.pack', 'old.pack body.address'];

/** Subscribes a workspace to events that match these patterns. */
async function subscribe(
  { core }: Pick<Service, 'core'>,
  workspaceId: string,
  patterns: readonly string[],
): Promise<void> {
  const database = await core.database();
  await database.transact(async (scope) =>
    setInterests(scope.handle(oneSide(workspaceId, false)), { consumer: 'testing', subscriberId: 'testing' }, patterns),
  );
}

/** The announcements in the outbox of a workspace, oldest first, including repetitions. */
async function noticesOf({ core }: Pick<Service, 'core'>, workspaceId: string): Promise<string[]> {
  const database = await core.database();
  const rows = await database.read(workspaceId, ({ db }) =>
    db.selectFrom('outbox').select(['type', 'data']).where('workspace_id', '=', workspaceId).orderBy('id').execute(),
  );
  return rows.flatMap(({ type, data }) => {
    const { operation, field, title } = JSON.parse(data) as Record<string, string | undefined>;
    return type.startsWith('api.') ? [operation ?? field ?? title ?? ''] : [];
  });
}

const bench = (database: TestDatabase, tablePrefix: string, plugins: readonly Plugin<'old'>[] = []) =>
  createTestService<'old'>({ plugins, storage: database.createStorage(), tablePrefix });

const entry = { title: 'Faster', date: '2026-01-02', link: 'https://example.com/faster', changes: ['All is faster.'] };

/** Creates enough workspaces that an announcement run needs several batches. */
async function createWorkspaces({ service }: TestService<'old'>, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let testService = 0; testService < count; testService += 1) {
    const { id } = await service.workspaces.create({ name: 'One more', defaultFrom: { email: 'a@b.test', name: 'A' } });
    await subscribe(service, id, ['api.*']);
    ids.push(id);
  }
  return ids;
}

await eachDatabase('announcements', (test, database) => {
  test('a changelog entry reaches every subscribed workspace once', async () => {
    const testService = await bench(database, database.newPrefix());
    const { service, workspaceId, foreignWorkspaceId } = testService;
    try {
      await testService.drain();
      const otherIds = await createWorkspaces(testService, 110);
      assert.equal(await service.changelog.publish(entry), { published: true });
      assert.equal(await service.changelog.publish({ ...entry, changes: ['Told again.'] }), { published: false });
      testService.advanceClock(60_000);
      const [late = ''] = await createWorkspaces(testService, 1);
      await testService.drain();
      assert.equal(await testService.events('api.changelog.published'), [entry]);
      for (const id of otherIds) assert.equal(await noticesOf(service, id), ['Faster']);
      // The first workspace has no subscriber. The second did not exist when the entry was published.
      assert.equal([await noticesOf(service, foreignWorkspaceId), await noticesOf(service, late)], [[], []]);

      testService.advanceClock(hour);
      await testService.drain();
      assert.equal(await service.changelog.publish({ ...entry, date: '2026-01-03' }), { published: true });
      testService.advanceClock(hour);
      await testService.drain();
      assert.equal(await noticesOf(service, workspaceId), ['Faster', 'Faster']);
      assert.equal(await noticesOf(service, late), ['Faster']);
    } finally {
      await testService.close();
    }
  });

  test('an entry without a link is published with link null, and the error for an invalid field names it', async () => {
    const testService = await bench(database, database.newPrefix());
    try {
      await testService.drain();
      const { link: _, ...bare } = entry;
      await testService.service.changelog.publish(bare);
      testService.advanceClock(60_000);
      await testService.drain();
      assert.equal(await testService.events('api.changelog.published'), [{ ...bare, link: null }]);
      const refusal = async (wrong: object): Promise<string> => {
        try {
          await testService.service.changelog.publish({ ...entry, ...wrong });
        } catch (error) {
          if (isPostriderError(error, 'validation_failed')) return error.message;
        }
        return 'not refused';
      };
      for (const [name, value] of [
        ['title', ''],
        ['date', '02.01.2026'],
        ['link', 'javascript:alert(1)'],
        ['changes', []],
      ] as const)
        assert.match(
          await refusal({ [name]: value }),
          new RegExp(`^The changelog entry is not valid\\. ${name} must `),
        );
    } finally {
      await testService.close();
    }
  });

  test('if two processes announce at the same time, each workspace is notified exactly once', async () => {
    const tablePrefix = database.newPrefix();
    const testService = await bench(database, tablePrefix, [oldPlugin()]);
    try {
      const otherIds = await createWorkspaces(testService, 60);
      await testService.drain();
      await testService.service.changelog.publish(entry);
      testService.advanceClock(hour);
      const schedules = testService.service.core.registry.schedules.filter(({ id }) =>
        /changelog|deprecations/.test(id),
      );
      assert.is(schedules.length, 2);
      // The schedules run directly, because a slot would allow only one process to run them.
      const context = { core: testService.service.core, database: await testService.service.core.database() };
      const run = () =>
        schedules.map(async (schedule) =>
          schedule.run(createScheduleContext(context, testService.now(), new AbortController().signal)),
        );
      await Promise.allSettled([...run(), ...run(), ...run()]);
      await Promise.all(run());
      for (const id of [...otherIds, testService.workspaceId])
        assert.equal((await noticesOf(testService.service, id)).sort(), ['Faster', ...deprecatedParts], id);
    } finally {
      await testService.close();
    }
  });

  test('each workspace gets a deprecation notice once, as soon as it has a subscriber', async () => {
    const tablePrefix = database.newPrefix();
    const testService = await bench(database, tablePrefix, [oldPlugin()]);
    const { service, workspaceId, foreignWorkspaceId } = testService;
    const nextDay = async (): Promise<void> => {
      testService.advanceClock(hour);
      await testService.drain();
    };
    await testService.drain();
    await nextDay();
    await nextDay();
    assert.equal((await noticesOf(service, workspaceId)).sort(), deprecatedParts);
    assert.equal(await noticesOf(service, foreignWorkspaceId), []);
    const [operation] = (await testService.events('api.deprecation')).filter((data) => 'operation' in data);
    assert.equal(operation, {
      operation: 'old.pack',
      ...deprecationDates,
      message:
        'The operation old.pack (POST /v1/old) is deprecated since 2026-01-01 and ends on 2026-12-01. See https://example.com/notice.',
    });

    await subscribe(service, foreignWorkspaceId, ['send.*', 'api.deprecation']);
    await nextDay();
    assert.equal((await noticesOf(service, foreignWorkspaceId)).sort(), deprecatedParts);
    await testService.close();
  });

  test('a deprecation notice with another date is sent again, even after a restart with a new release', async () => {
    const tablePrefix = database.newPrefix();
    // SQLite in memory would lose its data on restart, so every service here opens the same file.
    const first = await bench(database, tablePrefix, [oldPlugin()]);
    const { workspaceId } = first;
    await first.drain();
    first.advanceClock(hour);
    await first.drain();
    await first.close();
    const second = await createTestService<'old'>({
      plugins: [oldPlugin(laterDeprecation)],
      storage: database.createStorage(),
      tablePrefix,
      startAt: first.now() + hour,
    });
    try {
      await second.drain();
      const notices = (await noticesOf(second.service, workspaceId)).sort();
      assert.equal(notices, [...deprecatedParts, 'old.pack'].sort());
    } finally {
      await second.close();
    }
  });

  test('a subscriber in the process receives the notices of every workspace', async () => {
    const testService = await bench(database, database.newPrefix(), [oldPlugin()]);
    try {
      const notices: string[] = [];
      testService.service.on('api.deprecation', ({ workspace_id, data }) => {
        notices.push(`${workspace_id} ${'operation' in data ? data.operation : data.field}`);
      });
      await testService.drain();
      testService.advanceClock(hour);
      await testService.drain();
      const expected = [testService.workspaceId, testService.foreignWorkspaceId].flatMap((id) =>
        deprecatedParts.map((name) => `${id} ${name}`),
      );
      assert.equal(notices.sort(), expected.sort());
    } finally {
      await testService.close();
    }
  });

  if (database.name !== 'sqlite') return;

  test('the OpenAPI document marks a deprecated field', () => {
    const { components, paths } = openapiDocument(createRegistry([oldPlugin()], []), {
      name: 'Acme',
      publicUrl: undefined,
    }) as { components: { schemas: { OldBox: { properties: Record<string, object> } } }; paths: object };
    assert.equal(components.schemas.OldBox.properties.width, {
      type: 'integer',
      description: 'Use size.',
      deprecated: true,
      'x-deprecation': deprecationDates,
    });
    assert.ok(JSON.stringify(paths).includes('"deprecated":true'));
  });

  test('composition fails if a deprecated field ends too early', () => {
    const earlyEndPlugin = {
      ...oldPlugin(),
      events: [
        {
          type: 'old.packed',
          description: 'It was packed.',
          data: z.object({
            in: z.array(z.object({ box: deprecatedField(z.string(), { ...deprecationDates, sunset: '2026-03-01' }) })),
          }),
          example: { in: [] },
        },
      ],
    };
    assert.throws(
      () => createRegistry([earlyEndPlugin], []),
      /The field old.packed data.in.box is removed less than six months/,
    );
  });
});
