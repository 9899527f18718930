// Declared resources: values at the limits of their fields, personal data in exports and erasures, and the errors for a wrong
// declaration.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  defineCreate,
  defineDelete,
  defineErrors,
  defineList,
  defineRead,
  defineResource,
  defineUpdate,
  field,
  notFound,
  z,
} from '../../core/index.ts';
import { isPseudonym } from '../../core/kernel/personal-data-addresses.ts';
import { createTestService, type TestService } from '../../hosts/testing/test-service.ts';
import { twoDatabases } from '../support/databases.ts';
import { guests, harbourPlugin } from './harbour-plugin.ts';

await twoDatabases('texts and people of declared resources', (test, database) => {
  let bench: TestService<'harbours'>;
  let harbour: string;
  const make = (body: object, headers = {}) =>
    bench.request('/v1/berths', { body: { harbourId: harbour, label: 'B1', ...body }, headers });
  const berth = async (body: object) => {
    const creation = await make(body);
    assert.is(creation.status, 201, JSON.stringify(creation.body));
    return creation.body;
  };
  const readBerth = async (id: string) => (await bench.request(`/v1/berths/${id}`)).body;

  test.before.each(async () => {
    bench = await createTestService({
      plugins: [harbourPlugin()],
      storage: database.createStorage(),
      tablePrefix: database.newPrefix(),
    });
    harbour = (await bench.request('/v1/harbours', { body: { harbour_name: 'Kiel' } })).body.harbour_id;
  });
  test.after.each(() => bench.close());

  test('texts are returned unchanged, up to the maximum length of a field', async () => {
    const texts = ['İstanbul ı', '😀'.repeat(50), 'x\ufffdy', 'é e\u0301', "'; drop table berths; --", '\\ " %_'];
    for (const [at, text] of texts.entries()) {
      const label = `${at}😀İ\ufffd`;
      const { berthId: id } = await berth({
        label,
        remarks: text,
        equipment: [[...text].slice(0, 40).join('')],
        lightColour: '😀',
      });
      const { remarks, equipment, lightColour, ...visible } = await readBerth(id);
      assert.equal(
        [visible.label, remarks, equipment, lightColour],
        [label, text, [[...text].slice(0, 40).join('')], '😀'],
      );
    }
    for (const name of ['n'.repeat(200), '😀'.repeat(200), 'İ'.repeat(200)]) {
      const { status, body } = await bench.request('/v1/harbours', { body: { harbour_name: name } });
      assert.equal([status, body.harbour_name], [201, name]);
    }
    const capital = await bench.request('/v1/harbours', { body: { harbour_name: 'KIEL' } });
    assert.is(capital.status, 201, 'a name in other letter case counts as another name');
  });

  test('a text that is one character too long, a null, a missing field and an unknown field are refused by name', async () => {
    const { berthId: id } = await berth({});
    const refusalOf = async (body: object, path: string, method = 'POST', url = '/v1/berths') => {
      const { status, body: answer } = await bench.request(url, { method, body });
      const paths = (answer.error?.details ?? []).map((detail: { path: string }) => detail.path);
      assert.equal([status, answer.error?.code, paths], [422, 'validation_failed', [path]], JSON.stringify(body));
    };
    const validBody = { harbourId: harbour, label: 'new' };
    const wrong: readonly (readonly [string, unknown, string?])[] = [
      ['label', 'x'.repeat(13)],
      ['label', ''],
      ['label', null],
      ['label', 'a\ud83d'],
      ['label', 'a\u0000'],
      ['remarks', 'x'.repeat(51)],
      ['remarks', null],
      ['remarks', '😀'.repeat(51)],
      ['equipment', ['x'.repeat(41)], 'equipment.0'],
      ['equipment', null],
      ['equipment', Array(6).fill('x')],
      ['depth', 100],
      ['depth', 1.5],
      ['depth', '7'],
      ['hasPower', null],
      ['hasPower', 'true'],
      ['skipperEmail', 'İ@example.com'],
      ['skipperEmail', ''],
      ['lightColour', 'x'.repeat(21)],
      ['lightColour', '😀'.repeat(21)],
      ['harbour_id', harbour],
      ['Label', 'x'],
    ];
    for (const [name, value, path = name] of wrong) {
      await refusalOf({ ...validBody, [name]: value }, path);
      await refusalOf({ [name]: value }, path, 'PATCH', `/v1/berths/${id}`);
    }
    await refusalOf({ paidUntil: '2027-02-30T00:00:00Z' }, 'paidUntil', 'PATCH', `/v1/berths/${id}`);
    await refusalOf({ harbourId: harbour }, 'label');
    await refusalOf({ label: 'new' }, 'harbourId');
    await refusalOf({ harbour_name: 'n'.repeat(201) }, 'harbour_name', 'POST', '/v1/harbours');
    assert.equal((await bench.request('/v1/berths')).body.data.length, 1);
    assert.is((await readBerth(id)).version, 1);
  });

  test('an export contains the rows that name the person, newest first and in the form that callers see', async () => {
    const ada = 'ada@example.com';
    const first = await berth({ label: 'A', ownerEmail: 'ADA@Example.com', remarks: 'Hers.' });
    bench.advanceClock(1_000);
    const second = await berth({ label: 'B', skipperEmail: ada, ownerEmail: ada });
    bench.advanceClock(1_000);
    const third = await berth({ label: 'C', ownerEmail: ada });
    await berth({ label: 'D', skipperEmail: 'ben@example.com' });
    const guest = (await bench.request('/v1/guests', { body: { email: ada } })).body;
    assert.is(first.ownerEmail, ada);
    const exported = await bench.service.personalData.export(bench.workspaceId, { email: 'Ada@example.com' });
    assert.equal(exported['harbours'], { berths: [third, second, first], guests: [guest] });
  });

  test('an erasure replaces addresses, empties texts, and also searches the texts in rows of other people', async () => {
    const ada = 'ada@example.com';
    const adasBerth = { skipperEmail: 'Ada@Example.com', remarks: 'Calls at night.', equipment: [`Ask ${ada}`] };
    const { berthId: id } = await berth({ label: 'A', ...adasBerth });
    const { berthId: bens } = await berth({ label: 'B', skipperEmail: 'ben@example.com', remarks: 'Mine.' });
    const keyHeaders = { 'idempotency-key': 'once' };
    const { berthId: otherBerth } = (
      await make({ label: 'C', equipment: ['Rope', `Ask ${ada}`], depth: 8 }, keyHeaders)
    ).body;
    await bench.request('/v1/guests', { body: { email: ada } });
    await bench.request('/v1/guests', { body: { email: 'ben@example.com' } });
    bench.advanceClock(1_000);
    await bench.service.personalData.erase(bench.workspaceId, { email: ada });

    const erasedBerth = await readBerth(id);
    assert.ok(isPseudonym(erasedBerth.skipperEmail), JSON.stringify(erasedBerth));
    assert.equal([erasedBerth.label, erasedBerth.remarks, erasedBerth.depth, erasedBerth.state], ['A', '', 5, 'free']);
    const { skipperEmail, remarks, version } = await readBerth(bens);
    assert.equal([skipperEmail, remarks, version], ['ben@example.com', 'Mine.', 1]);
    const otherRow = await readBerth(otherBerth);
    assert.match(otherRow.equipment[1], /^Ask erased/);
    assert.equal(
      [otherRow.equipment[0], otherRow.version],
      ['Rope', 2],
      'the version shows readers that it was changed',
    );
    assert.is(otherRow.updatedAt, '2026-01-01T00:00:01.000Z');
    const database = await bench.service.core.database();
    const remaining = await database.read(bench.workspaceId, (handle) => guests.rows.page(handle, { limit: 9 }));
    assert.equal(
      remaining.map(({ email }) => email),
      ['ben@example.com'],
    );
    const replay = await make({ label: 'C', equipment: ['Rope', `Ask ${ada}`], depth: 8 }, keyHeaders);
    assert.not.match(JSON.stringify(replay.body), ada);
    const exported = await bench.service.personalData.export(bench.workspaceId, { email: ada });
    assert.equal(exported['harbours'], { berths: [], guests: [] });
  });
});

const declarations = suite('declarations of resources');
const options = {
  title: 'Buoy',
  name: 'buoy',
  scopes: { read: 'buoys:read', write: 'buoys:write' },
  notFoundError: () => new Error('none') as never,
  example: { operation: 'buoys.create', body: () => ({}) },
};
const id = field.ownId('buo');

declarations('defineResource throws an error for an invalid declaration, and the error names the field', () => {
  const declare = (fields: Parameters<typeof defineResource>[1]['fields']) => () =>
    defineResource('buoys', { ...options, fields });
  const text = () => field.text(z.string());
  assert.throws(declare({ text: text() }), /buoys has no id: give it a field.ownId/);
  assert.throws(
    declare({ id, dueAt: text(), due_at: text() }),
    /field of buoys already uses the column due_at: rename the field due_at/,
  );
  assert.throws(declare({ buoyId: id, id: text() }), /field of buoys already uses the column id/);
  assert.throws(declare({ id, createdAt: text() }), /field of buoys already uses the column created_at/);
  assert.throws(
    declare({ id, madeAt: field.createdAt() }),
    /madeAt of buoys shows the column created_at: name the field createdAt/,
  );
  assert.throws(declare({ id, updatedAt: field.createdAt() }), /updatedAt of buoys shows the column created_at/);
  assert.throws(
    declare({ id, size: field.computed(z.int()) }),
    /size of buoys is computed, but the resource has no option computed/,
  );
  assert.throws(declare({ id, note: text().unique() }), /note of buoys has an index, and not every database/);
  const tooLong =
    /name of buoys accepts more than 200 characters, .*add \.max\(200\) to its schema, or use field\.text/;
  assert.throws(declare({ id, name: field.key(z.string()) }), tooLong);
  assert.throws(declare({ id, name: field.key(z.string().max(201)).nullable() }), tooLong);
  assert.throws(declare({ id, name: field.key(z.string().regex(/^\d+$/)) }), tooLong);
  assert.throws(declare({ id, kind: field.word(z.string().max(41)) }), /kind of buoys accepts more than 40 characters/);
  declare({ id, name: field.key(z.string().max(200)), kind: field.word(z.enum(['can', 'cone'])) })();
  assert.throws(declare({ id, workspaceId: text() }), /Leave workspace_id out/);
  declare({ buoyId: id, dueAt: text(), made_at: text(), created_at: field.createdAt() })();
});

declarations('summaries, error codes and indexes come from the resource unless they are declared', () => {
  const notFoundError = defineErrors({ buoy_not_found: notFound('buoy', 'GET /v1/ice-buoys') }).buoy_not_found;
  const resource = defineResource('buoys', {
    ...options,
    notFoundError,
    name: 'sea.ice_buoy',
    fields: {
      id,
      size: field.integer(z.int().describe('In metres.')).nullable().described('Null if unknown.').readOnly(null),
      sunkAt: field.time().nullable().readOnly(null).purged(),
    },
  });
  const errorCases = {
    state_conflict: 'unreachable: another test shows it',
    buoy_not_found: 'unreachable: another test shows it',
  } as const;
  const operations = [
    defineList({ resource, id: 'buoys.list', http: 'GET /v1/ice-buoys' }),
    defineRead({ resource, id: 'buoys.read', http: 'GET /v1/ice-buoys/{id}' }),
    defineCreate({ resource, id: 'buoys.create', http: 'POST /v1/ice-buoys', errors: ['buoy_lost'], errorCases }),
    defineUpdate({
      resource,
      id: 'buoys.update',
      http: 'PATCH /v1/ice-buoys/{id}',
      body: async () => ({}),
      errorCases,
    }),
    defineDelete({ resource, id: 'buoys.delete', http: 'DELETE /v1/ice-buoys/{id}', summary: 'Sink it' }),
  ];
  assert.equal(
    operations.map(({ summary, errors }) => [summary, errors.join()]),
    [
      ['List ice buoys', 'cursor_invalid'],
      ['Read an ice buoy', 'buoy_not_found'],
      ['Create an ice buoy', 'buoy_lost,state_conflict,buoy_not_found'],
      ['Change an ice buoy', 'buoy_not_found,state_conflict'],
      ['Sink it', 'buoy_not_found'],
    ],
  );
  assert.is(resource.item.shape.size.description, 'Null if unknown.');
  const purge = { index: 'buoys_sunk_at_purge', on: 'buoys', columns: ['sunk_at', 'id'] };
  assert.equal(resource.createTable.slice(2), [purge]);
  const error = notFoundError({ id: 'buo_1' });
  assert.is(error.message, 'There is no buoy buo_1. GET /v1/ice-buoys lists the existing ones.');
  assert.equal([error.status, error.type], [404, 'not_found_error']);
});

declarations('defineCreate accepts the options of an ordinary operation', () => {
  const resource = defineResource('buoys', { ...options, fields: { id, name: field.key(z.string().max(9)) } });
  const notice = { since: '2026-01-01', sunset: '2026-12-01', link: 'https://example.com/notice' };
  const overrides = {
    scopes: ['buoys:lay'],
    idempotency: 'natural',
    liveOnly: true,
    allowWhenSuspended: true,
    retryOnConflict: true,
    emits: ['buoy.laid'],
    deprecated: notice,
    fieldHints: { title: 'Call it name.' },
    instead: { 'buoys.propose': 'propose it' },
  } as const;
  const audit = { action: 'buoy.lay', kind: 'mark' };
  const created = defineCreate({
    resource,
    id: 'buoys.lay',
    summary: 'Lay',
    http: 'POST /v1/buoys',
    audit,
    ...overrides,
  });
  const { scopes, idempotency, liveOnly, allowWhenSuspended, retryOnConflict, emits, deprecated } = created;
  const [fieldHints, instead] = [Object.fromEntries(created.fieldHints), Object.fromEntries(created.instead)];
  const visible = { scopes, idempotency, liveOnly, allowWhenSuspended, retryOnConflict, emits, deprecated };
  assert.equal({ ...visible, fieldHints, instead }, overrides);
  assert.equal(created.audit?.action, 'buoy.lay');
  const misspelt = { resource, id: 'buoys.lay', summary: 'Lay', http: 'POST /v1/buoys', limits: 3 };
  assert.throws(() => defineCreate(misspelt as never), /defineCreate of buoys.lay .*limits/);
});

declarations.run();
