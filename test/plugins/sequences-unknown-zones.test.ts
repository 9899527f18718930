// A contact whose attribute `timezone` has an unknown zone: a simulation warns about it, and the timeline shows each value once.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { openSequenceBench, type SequenceBench } from '../support/sequence-bench.ts';

await twoDatabases('unknown time zones of contacts', (test, database) => {
  let bench: SequenceBench;
  test.before.each(async () => {
    bench = await openSequenceBench(database);
  });
  test.after.each(() => bench.close());

  const nodes = [
    { id: 'first', kind: 'delay', for: 'P1D' },
    { id: 'second', kind: 'delay', for: 'P1D' },
    { id: 'mark', kind: 'update_contact', attributes: { marked: true } },
  ] as const;
  const edges = [
    { from: 'first', to: 'second' },
    { from: 'second', to: 'mark' },
  ];

  const zonesOf = async (contactId: string, sandbox = false) =>
    (await bench.service.as(bench.workspaceId, { sandbox }).contacts.read({ contactId })).timeline
      .filter(({ kind }) => kind === 'timezone_unknown')
      .map((item) => (item as unknown as { timezone: string }).timezone);

  test('the timeline shows each value once, even if many steps and runs use the zone of the sequence instead', async () => {
    const { calls } = bench;
    const keys = [
      await bench.published({ name: 'One', nodes: [...nodes], edges }),
      await bench.published({ name: 'Two', nodes: [...nodes], edges }),
    ];
    const long = '🧭'.repeat(300);
    const cases: [string, unknown, string[]][] = [
      ['mars', 'Mars/Base', ['Mars/Base']],
      ['gmt', 'GMT+2', ['GMT+2']],
      ['empty', '', ['']],
      ['number', 7, ['7']],
      ['words', 'İ 👩‍👩‍👧 東京', ['İ 👩‍👩‍👧 東京']],
      ['long', long, [`${'🧭'.repeat(80)}…`]],
      ['offset', '+02:00', []],
      ['vienna', 'Europe/Vienna', []],
      ['none', undefined, []],
    ];
    const ids = new Map<string, string>();
    for (const [name, timezone] of cases) {
      const attributes = timezone === undefined ? {} : { timezone: timezone as string };
      const { id } = await calls.contacts.upsert({ email: `${name}@example.org`, attributes });
      ids.set(name, id);
      for (const keyOrId of keys) await calls.sequences.enroll({ keyOrId, contact: { id } });
    }
    const { id: other } = await calls.contacts.upsert({ email: 'other@example.org', attributes: { timezone: 'Moon' } });
    for (let days = 0; days < 3; days += 1) {
      await bench.drain();
      bench.advanceClock(86_400_000);
    }
    for (const [name, , expected] of cases) assert.equal(await zonesOf(ids.get(name) ?? ''), expected, name);
    assert.equal(await zonesOf(other), [], 'a contact without a run');
  });

  test('each new value adds an entry, and erasing a contact deletes its entries', async () => {
    const { calls } = bench;
    const keyOrId = await bench.published({ name: 'One', nodes: [...nodes], edges });
    const { id } = await calls.contacts.upsert({ external_id: 'u1', attributes: { timezone: 'Mars/Base' } });
    await calls.sequences.enroll({ keyOrId, contact: { id } });
    await bench.drain();
    await calls.contacts.upsert({ external_id: 'u1', attributes: { timezone: 'Mars/Dome' } });
    bench.advanceClock(86_400_000);
    await bench.drain();
    assert.equal(await zonesOf(id), ['Mars/Dome', 'Mars/Base']);
    await calls.contacts.delete({ contactId: id });
    await bench.drain();
    const open = await bench.service.core.database();
    const remaining = await open.driver.read((connection) =>
      connection.query({ sql: `select zone from ${open.prefix}sequence_unknown_zones`, parameters: [] }),
    );
    assert.equal(remaining.rows, []);
  });

  test('a simulation reports the value, the zone that it uses instead, and valid examples', async () => {
    const { calls } = bench;
    const settings = { timezone: 'Asia/Tokyo' };
    const { key: keyOrId } = await calls.sequences.create({ name: 'One', nodes: [...nodes], edges, settings });
    const warningsFor = async (timezone: string) =>
      (await calls.sequences.simulate({ keyOrId, contact: { attributes: { timezone } } })).warnings;
    for (const timezone of ['Mars/Base', 'GMT+2'])
      assert.ok(
        (await warningsFor(timezone)).includes(
          `The contact's attribute timezone is ${timezone}, which is not a valid time zone: Asia/Tokyo is used. Set a name such as Europe/Vienna, or an offset such as +02:00.`,
        ),
      );
    assert.equal(await warningsFor('+02:00'), []);
  });
});
