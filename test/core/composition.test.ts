// Invalid compositions are refused before anything runs, and the error names every fault and both owners. Inputs are strict.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { defineEvent } from '../../core/contract/declaration/events.ts';
import { defineJob } from '../../core/contract/declaration/jobs.ts';
import { defineOperation } from '../../core/contract/declaration/operation.ts';
import { definePlugin, type Plugin } from '../../core/contract/declaration/plugin.ts';
import { defineErrors, errorDefinitions } from '../../core/contract/errors/errors.ts';
import { createService } from '../../core/kernel/compose.ts';
import type { CompositionError } from '../../core/kernel/registry.ts';
import { standardPlugins } from '../../plugins/index.ts';

const test = suite('composition');

type Manifest = Parameters<typeof definePlugin>[0];
type Spec = Partial<Record<keyof Parameters<typeof defineOperation>[0], unknown>>;

const faultsOf = (plugins: readonly Plugin[]): readonly string[] => {
  try {
    createService({ storage: sqliteStorage({ filename: ':memory:' }), plugins });
  } catch (error) {
    return (error as CompositionError).faults;
  }
  return [];
};

const scope = { scope: 'toys:read', description: 'See toys.' };
const operation = (spec: Spec = {}) =>
  defineOperation({
    id: 'toys.list',
    summary: 'List toys',
    http: 'GET /v1/toys',
    scopes: ['toys:read'],
    idempotency: 'read',
    output: z.object({}),
    fixture: async () => ({}),
    handler: async () => ({}),
    ...(spec as object),
  });
const change = (spec: Spec = {}) =>
  operation({
    id: 'toys.make',
    http: 'POST /v1/toys',
    idempotency: 'replay',
    audit: { action: 'toy.make', target: () => ({ kind: 'toy', id: 't' }) },
    ...spec,
  });
const plugin = (id: string, manifest: Omit<Manifest, 'id'> = {}) => definePlugin({ id, ...manifest });
const withOperation = (spec: Spec, make = operation) => plugin('toys', { scopes: [scope], operations: [make(spec)] });

const declaredTwice = (declared: Omit<Manifest, 'id'>) => [plugin('one', declared), plugin('two', declared)];
const error = errorDefinitions(
  defineErrors({
    toy_broken: { status: 409, type: 'conflict_error', description: 'It broke.', message: () => 'It broke.' },
  }),
);
const event = defineEvent({ type: 'toy.made', description: 'Made.', data: z.object({}), example: {} });
const job = defineJob({ kind: 'toys.build', payload: z.object({}), handler: async () => undefined });
const schedule = { id: 'toys.tidy', description: 'Tidies.', everyMs: 1_000, run: async () => undefined };

const toyColumns = { id: 'id', workspace_id: 'id', name: 'text', size: 'integer', x: 'text' } as const;
const toys = {
  id: '0001-toys',
  changes: [{ create: 'toys', columns: toyColumns, primaryKey: ['id'] }],
};

const collisions: Readonly<Record<string, readonly [readonly Plugin[], string]>> = {
  plugin: [[plugin('one'), plugin('one')], 'The plugin one is listed twice.'],
  'plugin with its declarations': [
    [plugin('one', { scopes: [scope], events: [event] }), plugin('one', { scopes: [scope], events: [event] })],
    'The plugin one is listed twice.',
  ],
  scope: [declaredTwice({ scopes: [scope] }), 'The scope toys:read is declared by one and by two.'],
  event: [declaredTwice({ events: [event] }), 'The event toy.made is declared by one and by two.'],
  error: [declaredTwice({ errors: error }), 'The error toy_broken is declared by one and by two.'],
  table: [declaredTwice({ tables: { toys: { tenant: true } } }), 'The table toys is declared by one and by two.'],
  'migration listed twice in one plugin': [
    [plugin('one', { tables: { toys: { tenant: true } }, migrations: [toys, toys] })],
    'The migration 0001-toys of one is listed twice.',
  ],
  'table that no plugin lists': [
    [plugin('one', { migrations: [toys] })],
    'one creates the table toys in a migration and does not name it in tables.',
  ],
  ...Object.fromEntries(
    [
      ['drops the table toys', { drop: 'toys' }],
      ['removes name, size from toys', { alter: 'toys', remove: ['name', 'size'] }],
      ['drops the unique index toys_name', { dropIndex: 'toys_name', on: 'toys' }],
      ['makes size unique in toys', { index: 'toys_size', on: 'toys', columns: ['size'], unique: true }],
    ].map(([removal, removingChange]) => [
      `migration that ${removal} without declaring it`,
      [
        [
          plugin('one', {
            tables: { toys: { tenant: true } },
            migrations: [
              {
                ...toys,
                changes: [...toys.changes, { index: 'toys_name', on: 'toys', columns: ['id'], unique: true }],
              },
              { id: '0002-less', changes: [removingChange as never] },
            ],
          }),
        ],
        `one: The migration 0002-less ${removal}: processes of the previous release would break. Declare compatibility: 'contract', one release after the last release that uses it.`,
      ] as const,
    ]),
  ),
  ...Object.fromEntries(
    [
      [
        'the index toys_name',
        { dropIndex: 'toys_name', on: 'toys' },
        { index: 'toys_name', on: 'toys', columns: ['x'] },
      ],
      ['the column size of toys', { alter: 'toys', remove: ['size'] }, { alter: 'toys', add: { size: 'text?' } }],
      ['the table toys', { drop: 'toys' }, toys.changes[0]],
    ].map(([name, taking, making]) => [
      `migration that removes and creates ${name}`,
      [
        [
          plugin('one', {
            tables: { toys: { tenant: true } },
            migrations: [toys, { id: '0002-anew', compatibility: 'contract', changes: [taking, making] as never }],
          }),
        ],
        `one: The migration 0002-anew removes and creates ${name}: if it were interrupted on MySQL or MariaDB, it could not continue. Use another name, or split the migration in two.`,
      ] as const,
    ]),
  ),
  job: [declaredTwice({ jobs: [job] }), 'The job toys.build is declared by one and by two.'],
  schedule: [declaredTwice({ schedules: [schedule] }), 'The schedule toys.tidy is declared by one and by two.'],
  service: [
    declaredTwice({ services: { templates: () => ({}) as never } }),
    'The service templates is declared by one and by two.',
  ],
  operation: [
    [
      plugin('one', { scopes: [scope], operations: [operation()] }),
      plugin('two', { operations: [operation({ http: 'GET /v1/other' })] }),
    ],
    'The operation toys.list is declared by one and by two.',
  ],
  route: [
    [
      plugin('one', {
        scopes: [scope],
        operations: [operation({ http: 'GET /v1/toys/{id}', input: { params: z.object({ id: z.string() }) } })],
      }),
      plugin('two', {
        operations: [
          operation({ id: 'toys.read', http: 'GET /v1/toys/{key}', input: { params: z.object({ key: z.string() }) } }),
        ],
      }),
    ],
    'The route GET /v1/toys/{} is declared by one and by two.',
  ],
  tool: [
    [
      plugin('one', { scopes: [scope], operations: [operation({ tool: 'list_toys' })] }),
      plugin('two', { operations: [operation({ id: 'toys.all', http: 'GET /v1/all', tool: 'list_toys' })] }),
    ],
    'The tool list_toys is declared by one and by two.',
  ],
  'a table of the core': [
    [plugin('one', { tables: { jobs: { tenant: true } } })],
    'The table jobs is declared by core and by one.',
  ],
  'the MCP endpoint': [
    [withOperation({ http: 'POST /v1/mcp' }, change)],
    'The route POST /v1/mcp is declared by core and by toys.',
  ],
  'the OpenAPI document': [
    [withOperation({ http: 'GET /v1/openapi.json' })],
    'The route GET /v1/openapi.json is declared by core and by toys.',
  ],
};

for (const [title, [plugins, fault]] of Object.entries(collisions)) {
  test(`composition refuses a collision and names both owners: ${title}`, () => {
    assert.equal(faultsOf(plugins), [fault]);
  });
}

const since = '2026-01-01';
const link = 'https://example.com';
const mistakes: Readonly<Record<string, readonly [Plugin, RegExp]>> = {
  'a required plugin that is missing': [plugin('one', { requires: ['two'] }), /one requires the plugin two/],
  'a count that is not in snake_case': [
    plugin('one', { eventConsumers: [{ id: 'one', countName: 'Letters printed', dispatch: () => 0 }] }),
    /The count Letters printed of one is not in snake_case/,
  ],
  'an undeclared scope': [plugin('toys', { operations: [operation()] }), /undeclared scope toys:read/],
  'an undeclared error': [withOperation({ errors: ['toy_lost'] }), /undeclared error toy_lost/],
  'an operation with neither scopes nor anyKey': [withOperation({ scopes: [] }), /neither scopes nor anyKey/],
  'a path outside /v1': [withOperation({ http: 'GET /v2/toys' }), /outside \/v1/],
  'a change without an audit action': [withOperation({ audit: undefined as never }, change), /has no audit action/],
  'a GET that changes data': [withOperation({ http: 'GET /v1/toys' }, change), /is a GET that is not declared a read/],
  'a replay that runs longer than its lock': [
    withOperation({ timeoutSeconds: 111 }, change),
    /outlive its idempotency lock/,
  ],
  'a path parameter that is not declared': [
    withOperation({ http: 'GET /v1/toys/{id}' }),
    /has the path parameters id; its input\.params declares none\./,
  ],
  'one name for two inputs': [
    withOperation({
      http: 'GET /v1/toys/{id}',
      input: { params: z.object({ id: z.string() }), query: z.object({ id: z.string() }) },
    }),
    /the name id for two inputs/,
  ],
  'a sunset within six months': [
    withOperation({ deprecated: { since, sunset: '2026-06-01', link } }),
    /less than six months/,
  ],
  'a sunset that is not a date': [
    withOperation({ deprecated: { since, sunset: 'soon', link } }),
    /less than six months/,
  ],
};

for (const [title, [wrong, fault]] of Object.entries(mistakes)) {
  test(`composition refuses: ${title}`, () => {
    const faults = faultsOf([wrong]);
    assert.is(faults.length, 1, faults.join('\n'));
    assert.match(faults[0] ?? '', fault);
  });
}

test('the error for a misspelt required plugin suggests a similar name, but never the plugin itself', () => {
  assert.equal(faultsOf([plugin('contacts', {}), plugin('note', { requires: ['contact', 'notes'] })]), [
    'note requires the plugin contact, which is not composed. Did you mean contacts?',
    'note requires the plugin notes, which is not composed.',
  ]);
});

test('composition refuses a schedule that would never run', () => {
  for (const everyMs of [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
    assert.equal(faultsOf([plugin('toys', { schedules: [{ ...schedule, everyMs }] })]), [
      `The schedule toys.tidy of toys: everyMs must be a positive whole number, not ${everyMs}.`,
    ]);
  for (const offsetMs of [-1, 0.5, schedule.everyMs])
    assert.equal(faultsOf([plugin('toys', { schedules: [{ ...schedule, offsetMs }] })]), [
      `The schedule toys.tidy of toys: offsetMs must be a whole number from 0 to less than everyMs, ${schedule.everyMs}, not ${offsetMs}.`,
    ]);
  assert.equal(faultsOf([plugin('toys', { schedules: [schedule] })]), []);
});

test('composition reports all faults in one error, and the message contains each of them', () => {
  const plugins = [...declaredTwice({ scopes: [scope], events: [event] }), plugin('three', { requires: ['four'] })];
  assert.is(faultsOf(plugins).length, 3);
  assert.throws(
    () => createService({ storage: sqliteStorage({ filename: ':memory:' }), plugins }),
    (thrown: Error) =>
      thrown.name === 'CompositionError' && faultsOf(plugins).every((fault) => thrown.message.includes(fault)),
  );
});

test('composition refuses a table prefix that needs quoting, and the error explains which are allowed', () => {
  const storage = sqliteStorage({ filename: ':memory:' });
  for (const tablePrefix of ['my-app_', "x'_", 'a.b_', '1_', '', 'a b', 'p'.repeat(22)]) {
    assert.throws(
      () => createService({ storage, plugins: [], tablePrefix }),
      (thrown: Error) =>
        /cannot be the tablePrefix: use 1 to 21 letters|tablePrefix of createService must be a prefix/.test(
          thrown.message,
        ),
      tablePrefix,
    );
  }
  for (const tablePrefix of ['mail_', 'Mail_', '_p1', 'p'.repeat(21)]) {
    assert.not.throws(() => createService({ storage, plugins: [], tablePrefix }));
  }
});

test('control: a single plugin, an operation with anyKey, and a sunset after six months are accepted', () => {
  assert.equal(faultsOf([withOperation({})]), []);
  assert.equal(faultsOf([withOperation({}, change)]), []);
  assert.equal(faultsOf([withOperation({ scopes: [], anyKey: true })]), []);
  assert.equal(faultsOf([withOperation({ deprecated: { since, sunset: '2026-07-02', link } })]), []);
  assert.equal(faultsOf([...standardPlugins]), []);
});

/** Objects in an input's JSON Schema that have named properties but silently accept unknown properties. */
function pathsOfLooseObjects(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const node = schema as Readonly<Record<string, unknown>>;
  const ownPath = node.properties !== undefined && node.additionalProperties !== false ? [path] : [];
  return [
    ...ownPath,
    ...Object.entries(node).flatMap(([name, member]) => pathsOfLooseObjects(member, `${path}/${name}`)),
  ];
}

test('no input of the standard plugins ignores a misspelt field, at any depth', () => {
  const loosePaths = standardPlugins.flatMap(({ operations }) =>
    operations.flatMap(({ id, input }) =>
      Object.entries(input).flatMap(([part, schema]) =>
        schema === undefined
          ? []
          : pathsOfLooseObjects(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), `${id} ${part}`),
      ),
    ),
  );
  assert.equal(loosePaths, []);
  const looseSchema = z.strictObject({ from: z.object({ email: z.string() }) });
  assert.equal(pathsOfLooseObjects(z.toJSONSchema(looseSchema, { io: 'input' }), 'x'), ['x/properties/from']);
});

test('composition refuses inconsistent output declarations of an operation', () => {
  const svg = { description: 'A picture.', render: () => ({ bytes: '<svg/>' }) };
  const heldOutcome = { status: 202, output: z.object({}), description: 'It waits.' };
  const cases: readonly [Spec, RegExp, typeof operation][] = [
    [
      { representations: { 'Image/PNG': svg } },
      /has the representation Image\/PNG: give a media type in lower case/,
      operation,
    ],
    [
      { representations: { 'application/json': svg } },
      /has a representation application\/json: every operation responds in JSON/,
      operation,
    ],
    [{ representations: { 'image/png': svg }, secretOutput: true }, /a secret response: bytes are not sealed/, change],
    [
      { representations: { 'image/png': svg }, secondSuccess: heldOutcome },
      /representations and a second success/,
      change,
    ],
    [
      { representations: { 'image/png': svg }, input: { query: z.object({ format: z.string() }) } },
      /a field format: name it in representationArgument/,
      operation,
    ],
    [
      {
        representations: { 'image/png': svg },
        representationArgument: { name: 'kind', types: { pdf: 'application/pdf' } },
      },
      /by kind, which is not one of its fields/,
      operation,
    ],
    [
      {
        representations: { 'image/png': svg },
        representationArgument: { name: 'kind', types: { pdf: 'application/pdf' } },
      },
      /maps kind pdf to application\/pdf, which is not one of its representations/,
      operation,
    ],
    [{ secondSuccess: { ...heldOutcome, status: 200 } }, /also succeeds with 200/, change],
    [{ secondSuccess: { ...heldOutcome, status: 302 } }, /also succeeds with 302/, change],
    [{ secondSuccess: heldOutcome }, /is a read, which has only one success/, operation],
    [{ ifMatch: true }, /is a read and reads If-Match/, operation],
    [
      { accepts: ['text/csv'], input: { body: z.object({}) } },
      /accepts text\/csv: give a media type of the form/,
      change,
    ],
    [{ accepts: ['application/merge-patch+json'] }, /but takes no body/, change],
  ];
  for (const [spec, fault, make] of cases) {
    const faults = faultsOf([withOperation(spec, make)]);
    assert.ok(
      faults.some((text) => fault.test(text)),
      `${fault} in ${faults.join('; ')}`,
    );
  }
});

for (const { id } of standardPlugins)
  test(`the plugin ${id} composes with only the plugins that it requires`, () => {
    const requiredIds = new Set<string>([id]);
    for (const one of requiredIds)
      for (const requiredId of standardPlugins.find((plugin) => plugin.id === one)?.requires ?? [])
        requiredIds.add(requiredId);
    assert.equal(faultsOf(standardPlugins.filter((plugin) => requiredIds.has(plugin.id))), []);
  });

test.run();
