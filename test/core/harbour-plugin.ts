// A small plugin of declared resources with fields of every kind, for their tests: harbours, berths and guests.
import {
  type CallsOf,
  coreErrors,
  defineCreate,
  defineDelete,
  defineErrors,
  defineEvent,
  defineJob,
  defineList,
  defineMigration,
  definePlugin,
  defineRead,
  defineResource,
  defineScopes,
  defineUpdate,
  type EventDeclaration,
  emailAddress,
  errorDefinitions,
  type FixtureKit,
  field,
  idOf,
  personalDataOf,
  type WorkspaceHandle,
  z,
} from '../../core/index.ts';

const errors = defineErrors({
  harbour_name_taken: {
    status: 409,
    type: 'conflict_error',
    description: 'Another harbour has this name.',
    message: ({ name, id }: { name: string; id: string }) => `The harbour ${id} has the name ${name}.`,
  },
  harbour_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'There is no such harbour.',
    message: ({ id }: { id: string }) => `There is no harbour ${id}.`,
  },
  berth_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'There is no such berth.',
    message: ({ id }: { id: string }) => `There is no berth ${id}.`,
  },
  guest_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'There is no such guest.',
    message: ({ id }: { id: string }) => `There is no guest ${id}.`,
  },
});
const scopes = { read: 'harbours:read', write: 'harbours:write' };

/** The number of rows in each lookup of the computed fields of harbours */
export const loads: number[] = [];

/** Harbours, whose names callers see in snake_case */
export const harbours = defineResource('harbours', {
  title: 'Harbour',
  name: 'sea.harbour',
  scopes,
  notFoundError: errors.harbour_not_found,
  takenError: ({ value, id }) => errors.harbour_name_taken({ name: value, id }),
  example: { operation: 'harbours.create', body: (kit) => ({ harbour_name: kit.unique('Harbour') }) },
  fields: {
    harbour_id: field.ownId('hrb'),
    harbour_name: field.key(z.string().min(1).max(200)).unique(),
    opened_at: field.time().nullable().default(null),
    gate_code: field.text(z.string().max(20)).default('none').hidden(),
    berth_count: field.computed(z.int()),
    version: field.version(),
    created_at: field.createdAt(),
    updated_at: field.updatedAt(),
  },
  async computed({ trx }, visible) {
    loads.push(visible.length);
    const counts = await berthsIn(
      trx,
      visible.map(({ id }) => id),
    );
    return ({ id }) => ({ berth_count: counts.get(id) ?? 0 });
  },
});

/** Berths, whose names callers see in camelCase. Each side has its own rows. */
export const berths = defineResource('berths', {
  title: 'Berth',
  name: 'berth',
  scopes,
  sides: true,
  notFoundError: errors.berth_not_found,
  example: {
    operation: 'berths.create',
    body: async (kit, workspaceId) => ({
      harbourId: await harbours.createExample(kit, workspaceId),
      label: shortLabel(kit),
    }),
  },
  personal: { searched: true },
  fields: {
    berthId: field.ownId('bth'),
    harbourId: field.reference('hrb').immutable().indexed(),
    label: field.key(z.string().min(1).max(12)).unique().personal('mentions'),
    state: field.word(z.enum(['free', 'taken'])).readOnly('free'),
    madeOn: field.word(z.enum(['live', 'sandbox'])).readOnly(({ sandbox }) => (sandbox ? 'sandbox' : 'live')),
    skipperEmail: field.address().nullable().default(null).personal('address').indexed(),
    ownerEmail: field.address().nullable().default(null).personal('address').indexed(),
    remarks: field.text(z.string().max(50)).default('').personal('text'),
    equipment: field
      .json(z.array(z.string().max(40)).max(5))
      .default([])
      .personal('mentions'),
    depth: field.integer(z.int().min(0).max(99)).default(5),
    hasPower: field.flag().default(false),
    paidUntil: field.time().nullable().onlyUpdate(null),
    lightColour: field.text(z.string().max(20)).nullable().default(null).later(),
    version: field.version(),
    createdAt: field.createdAt(),
    updatedAt: field.updatedAt(),
  },
});

/** Guests, whose rows are deleted with the person */
export const guests = defineResource('guests', {
  title: 'Guest',
  name: 'guest',
  scopes,
  notFoundError: errors.guest_not_found,
  example: { operation: 'guests.create', body: () => ({ email: 'ada@example.com' }) },
  personal: { rows: 'remove' },
  fields: { guest_id: field.ownId('gst'), email: field.address().immutable().personal('address').indexed() },
});

/** A unique label that is not too long */
const shortLabel = (kit: FixtureKit): string => kit.unique('B').slice(-12);

async function berthsIn(handle: WorkspaceHandle, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { harbour_id: id } of await berths.rows.findIn(handle, 'harbour_id', ids))
    counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

const berthEvent = <T extends string>(type: T, description: string) =>
  defineEvent({
    type,
    description,
    data: z.object({ id: z.string(), label: z.string() }),
    example: { id: 'bth_01KQ1ZJ5T8V6W3X9Y2A4B7C8D9', label: 'B12' },
  });
const createdEvent = berthEvent('berth.made', 'A berth was made.');
const renamedEvent = berthEvent('berth.renamed', 'A berth has another label.');

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'berth.made': z.output<typeof createdEvent.data>;
    'berth.renamed': z.output<typeof renamedEvent.data>;
  }
  interface Api {
    harbours: CallsOf<typeof operations>;
  }
}

const createHarbour = defineCreate({
  resource: harbours,
  id: 'harbours.create',
  summary: 'Create a harbour',
  http: 'POST /v1/harbours',
});
const listHarbours = defineList({
  resource: harbours,
  id: 'harbours.list',
  summary: 'List harbours',
  http: 'GET /v1/harbours',
});
const readHarbour = defineRead({
  resource: harbours,
  id: 'harbours.read',
  summary: 'Read a harbour',
  http: 'GET /v1/harbours/{harbour_id}',
});
const updateHarbour = defineUpdate({
  resource: harbours,
  id: 'harbours.update',
  summary: 'Change a harbour',
  http: 'PATCH /v1/harbours/{harbour_id}',
  tool: 'update_harbour',
  body: async (kit) => ({ harbour_name: kit.unique('Port') }),
});
const deleteHarbour = defineDelete({
  resource: harbours,
  id: 'harbours.delete',
  summary: 'Delete a harbour',
  http: 'DELETE /v1/harbours/{harbour_id}',
  errors: ['state_conflict'],
  errorCases: {
    state_conflict: async (kit) => {
      const { harbourId } = await kit.call('berths.create', await berths.example(kit));
      return { params: { harbour_id: String(harbourId) } };
    },
  },
  async before({ trx }, { id }) {
    if ((await berthsIn(trx, [id])).size > 0) throw coreErrors.state_conflict({ reason: 'It has berths.' });
  },
});

/** The maximum number of berths in a workspace */
export const maxBerths = 60;

const createBerth = defineCreate({
  resource: berths,
  id: 'berths.create',
  summary: 'Create a berth',
  http: 'POST /v1/berths',
  limit: { max: maxBerths, resources: 'berths' },
  errors: ['harbour_not_found', 'state_conflict'],
  emits: ['berth.made'],
  foreign: async (kit) => ({ harbourId: await harbours.createExample(kit, kit.foreignWorkspaceId) }),
  errorCases: {
    limit_reached: 'unreachable here: shown in test/core/declared-resources.test.ts',
    state_conflict: async (kit) => ({ body: { ...(await berths.example(kit)), remarks: 'too late' } }),
  },
  async before(ctx, { harbourId: id, hasPower, depth }) {
    if ((await harbours.rows.find(ctx.trx, id)) === undefined) throw errors.harbour_not_found({ id });
    return { state: hasPower ? 'taken' : 'free', depth: depth === 13 ? 14 : undefined } as const;
  },
  async after(ctx, { id, label }, { remarks }) {
    ctx.emit('berth.made', { id, label });
    ctx.enqueue({ kind: 'berths.inspect', key: id, payload: { label } });
    if (remarks === 'too late') throw coreErrors.state_conflict({ reason: 'It is too late.' });
  },
});
const listBerths = defineList({
  resource: berths,
  id: 'berths.list',
  summary: 'List berths',
  http: 'GET /v1/berths',
  filters: {
    harbourId: idOf('hrb').optional(),
    hasPower: z.stringbool().optional(),
    skipperEmail: emailAddress.optional(),
  },
  foreign: async (kit) => ({ harbourId: await harbours.createExample(kit, kit.foreignWorkspaceId) }),
});
const readBerth = defineRead({
  resource: berths,
  id: 'berths.read',
  summary: 'Read a berth',
  http: 'GET /v1/berths/{berthId}',
});
const updateBerth = defineUpdate({
  resource: berths,
  id: 'berths.update',
  summary: 'Change a berth',
  http: 'PATCH /v1/berths/{berthId}',
  errors: ['state_conflict'],
  emits: ['berth.renamed'],
  body: async () => ({ depth: 7, remarks: 'Deeper than it looks.' }),
  errorCases: { state_conflict: async () => ({ body: { remarks: 'too late' } }) },
  async before(_ctx, { depth: earlier }, { depth }) {
    if (depth !== undefined && depth < earlier - 50) throw coreErrors.state_conflict({ reason: 'Ships would strand.' });
    return { state: depth === 0 ? 'taken' : undefined, label: undefined } as const;
  },
  async after(ctx, { id, label, remarks }, earlier) {
    if (label !== earlier.label) ctx.emit('berth.renamed', { id, label });
    ctx.enqueue({ kind: 'berths.inspect', key: id, payload: { label } });
    if (remarks === 'too late') throw coreErrors.state_conflict({ reason: 'It is too late.' });
  },
});
const deleteBerth = defineDelete({
  resource: berths,
  id: 'berths.delete',
  summary: 'Delete a berth',
  http: 'DELETE /v1/berths/{berthId}',
});
const createGuest = defineCreate({
  resource: guests,
  id: 'guests.create',
  summary: 'Greet a guest',
  http: 'POST /v1/guests',
});

export const operations = [
  ...[createHarbour, listHarbours, readHarbour, updateHarbour, deleteHarbour],
  ...[createBerth, listBerths, readBerth, updateBerth, deleteBerth, createGuest],
] as const;

/** Compose this plugin alone. `inspected` collects the labels of berths whose job has run. */
export const harbourPlugin = (inspected: string[] = []) =>
  definePlugin({
    id: 'harbours',
    scopes: defineScopes([
      { scope: 'harbours:read', description: 'See harbours.' },
      { scope: 'harbours:write', description: 'Change harbours.' },
    ]),
    operations,
    errors: errorDefinitions(errors),
    events: [createdEvent, renamedEvent] as readonly EventDeclaration[],
    tables: { harbours: harbours.table, berths: berths.table, guests: guests.table },
    migrations: [
      defineMigration({
        id: '0001-harbours',
        changes: [...harbours.createTable, ...berths.createTable, ...guests.createTable],
      }),
      defineMigration({ id: '0002-lights', changes: [{ alter: 'berths', add: { light_colour: 'text?' } }] }),
    ],
    jobs: [
      defineJob({
        kind: 'berths.inspect',
        payload: z.object({ label: z.string() }),
        handler: async (_ctx, { label }) => void inspected.push(label),
      }),
    ],
    personalData: personalDataOf({ berths, guests }),
  });
