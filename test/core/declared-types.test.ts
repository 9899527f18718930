// The TypeScript errors for wrong declarations: each expected error is the only error on its line. Type-checking the whole project checks
// them. All other parts run as tests.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService, defineOperation, defineSubscriber, type Service, z } from '../../core/index.ts';
import { auditPlugin } from '../../plugins/audit/index.ts';
import type { standardPlugins } from '../../plugins/index.ts';
import { workspacePlugin } from '../../plugins/workspace/index.ts';

const test = suite('types of declarations');

const service = createService({ storage: sqliteStorage({ filename: ':memory:' }), plugins: [workspacePlugin()] });

const nameOf = (service: Service): string => service.core.ports.service.name;
const callsOf = (injected: Service<'workspace'>) => injected.as('ws_1').workspace;

test('a function accepts any composed service, or only a service with the plugins that it names', () => {
  assert.is(nameOf(service), 'Postrider');
  assert.type(callsOf(service).read, 'function');
  const otherService = createService({ storage: sqliteStorage({ filename: ':memory:' }), plugins: [auditPlugin()] });
  assert.is(nameOf(otherService), 'Postrider');
  // @ts-expect-error: the plugin is not composed
  assert.is(callsOf(otherService), undefined);
});

test('an unknown plugin name does not compile, but the name of a plugin without operations does', () => {
  // @ts-expect-error: there is no plugin workspacez
  const misspelt = (injected: Service<'workspacez'>) => injected;
  const pageOnly = (injected: Service<'inbox' | 'domains' | 'reference'>) => injected.domains;
  const every = (injected: Service<(typeof standardPlugins)[number]['id']>) => injected.as('ws_1').events;
  for (const work of [misspelt, pageOnly, every]) assert.type(work, 'function');
});

const parts = {
  id: 'audit.last',
  summary: 'Ask when something was done last',
  http: 'GET /v1/audit/last',
  idempotency: 'read',
  output: z.object({ action: z.string() }),
} as const;

test('a missing part of an operation is reported at its declaration, and the input keeps its type', () => {
  // @ts-expect-error: the fixture is missing
  const bare = defineOperation({
    ...parts,
    scopes: ['audit:read'],
    input: { query: z.object({ action: z.string() }) },
    handler: async (_context, { query: { action } }) => ({ action: action.toLowerCase() }),
  });
  assert.is(bare.fixture, undefined);
  // @ts-expect-error: the scopes are missing
  const open = defineOperation({
    ...parts,
    input: { query: z.object({ action: z.string() }) },
    fixture: async () => ({ query: { action: 'template.publish' } }),
    handler: async (_context, { query: { action } }) => ({ action: action.toLowerCase() }),
  });
  assert.is(open.scopes, undefined);
});

test('a misspelt event in a known family does not compile, but custom events may have any name', () => {
  const ignore = () => undefined;
  // @ts-expect-error: the family send has no such event
  service.on('send.bouncd', ignore);
  service.on('send.bounced', ({ data }) => data.to.toLowerCase());
  service.on('send.*', ignore);
  service.on('*', ignore);
  service.on('order.paid', ({ data }) => data);
  service.on('ordered', ignore);
  service.on(String('send.bounced'), ignore);
  const { event } = defineSubscriber({
    name: 'a',
    event: 'send.bounced',
    handler: async (_context, { data }) => void data.to,
  });
  assert.is(event, 'send.bounced');
});

test.run();
