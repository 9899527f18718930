// Ports that plugins declare: the program passes an adapter, or a function that chooses an adapter for each workspace, as the option with
// the name of the port. Handlers use it under this name, and an invalid adapter is refused before anything runs.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { defineOperation } from '../../core/contract/declaration/operation.ts';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';
import { type AdapterChoice, definePort, type PortAdapter } from '../../core/contract/declaration/port.ts';
import { createService } from '../../core/kernel/compose.ts';

interface PigeonAdapter extends PortAdapter {
  release(message: string): string;
}

declare module '../../core/contract/open.ts' {
  interface Ports {
    pigeons: { plugin: 'pigeons'; adapter: PigeonAdapter };
  }
}

const test = suite('plugin ports');

const port = (manifest: Partial<Parameters<typeof definePort<PigeonAdapter>>[0]> = {}) =>
  definePort<PigeonAdapter>({ description: 'Releases pigeons.', methods: ['release'], ...manifest });

const releasePigeon = defineOperation({
  id: 'pigeons.release',
  summary: 'Release a pigeon',
  http: 'GET /v1/pigeons',
  scopes: ['pigeons:read'],
  idempotency: 'read',
  output: z.object({ pending: z.string(), id: z.string(), answer: z.string() }),
  fixture: async () => ({}),
  async handler({ ports, workspace }) {
    const pending = ports.pigeons.idOf(workspace.id);
    const adapter = await ports.pigeons.of(workspace.id);
    return { pending, id: ports.pigeons.idOf(workspace.id), answer: adapter.release(workspace.name) };
  },
});

const pigeonsPlugin = (declaration = port()) =>
  definePlugin({
    id: 'pigeons',
    scopes: [{ scope: 'pigeons:read', description: 'Release pigeons.' }],
    operations: [releasePigeon],
    ports: { pigeons: declaration },
  });

/** An adapter that logs when it is closed. */
const loft = (id: string, closed: string[] = []): PigeonAdapter => ({
  id,
  release: (message) => `${id} carries ${message}`,
  close: async () => void closed.push(id),
});

const base = () => ({
  storage: sqliteStorage({ filename: ':memory:' }),
  keyring: localKeyring({ keys: [{ id: 'test', secret: 'a secret for tests only, 32 bytes' }] }),
});

const compose = (pigeons: AdapterChoice<PigeonAdapter>) =>
  createService({ ...base(), plugins: [pigeonsPlugin()], pigeons });

async function workspacesOf(service: ReturnType<typeof compose>) {
  await service.migrate();
  const make = async (name: string): Promise<string> =>
    (await service.workspaces.create({ name, defaultFrom: { email: 'a@example.com', name: 'A' } })).id;
  const release = async (id: string) => {
    const { secret: key } = await service.keys.create({ workspaceId: id, name: 'key', scopes: ['pigeons:read'] });
    const headers = { authorization: `Bearer ${key}` };
    const request = { method: 'GET', url: '/v1/pigeons', headers, body: undefined, address: '127.0.0.1' };
    const { status, body } = await service.dispatch(request);
    return { status, body: JSON.parse(String(body)) as unknown };
  };
  return { make, release };
}

const messageOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was thrown';
};

test('one adapter serves every workspace and is closed once with the service', async () => {
  const closedNames: string[] = [];
  const service = compose(loft('grey', closedNames));
  const { make, release } = await workspacesOf(service);
  for (const name of ['One', 'Two'])
    assert.equal((await release(await make(name))).body, {
      pending: 'grey',
      id: 'grey',
      answer: `grey carries ${name}`,
    });
  assert.equal(closedNames, []);
  await service.stop();
  assert.equal(closedNames, ['grey']);
});

test('a choice function is called once per workspace, and each chosen adapter is closed once', async () => {
  const closedNames: string[] = [];
  const requestedIds: string[] = [];
  const sharedLoft = loft('shared', closedNames);
  const ownLofts = new Map<string, PigeonAdapter>();
  const service = compose(async (workspaceId) => {
    requestedIds.push(workspaceId);
    return ownLofts.get(workspaceId) ?? sharedLoft;
  });
  const { make, release } = await workspacesOf(service);
  const ids = [await make('One'), await make('Two'), await make('Three')] as const;
  ownLofts.set(ids[2], loft('white', closedNames));
  assert.equal((await release(ids[0])).body, { pending: 'pending', id: 'shared', answer: 'shared carries One' });
  assert.equal((await release(ids[0])).body, { pending: 'shared', id: 'shared', answer: 'shared carries One' });
  await release(ids[1]);
  assert.equal((await release(ids[2])).body, { pending: 'pending', id: 'white', answer: 'white carries Three' });
  assert.equal(requestedIds, [...ids]);
  await service.stop();
  assert.equal(closedNames.sort(), ['shared', 'white']);
});

test('if a choice function throws an error or returns no adapter, the next use calls it again', async () => {
  const answers: (() => PigeonAdapter)[] = [
    () => {
      throw new Error('no connection');
    },
    () => ({ id: 'egg' }) as PigeonAdapter,
    () => loft('grey'),
  ];
  const service = compose(() => (answers.shift() as () => PigeonAdapter)());
  const { make, release } = await workspacesOf(service);
  const id = await make('One');
  const { ports } = service.core;
  assert.is(await messageOf(ports.pigeons.of(id)), 'no connection');
  assert.is(
    await messageOf(ports.pigeons.of(id)),
    `The value that the option pigeons of createService returned for ${id} is not an adapter: it has no release.`,
  );
  assert.is((await release(id)).status, 200);
  await service.stop();
});

test('an adapter that fails to close does not prevent others from closing', async () => {
  const closedNames: string[] = [];
  const stuck = { ...loft('stuck'), close: async () => Promise.reject(new Error('stuck')) };
  const service = compose((workspaceId) => (workspaceId === 'ws_1' ? stuck : loft('free', closedNames)));
  await service.core.ports.pigeons.of('ws_1');
  await service.core.ports.pigeons.of('ws_2');
  assert.is(await messageOf(service.stop()), 'stuck');
  assert.equal(closedNames, ['free']);
});

test('a port with a default needs no option', async () => {
  const service = createService({ ...base(), plugins: [pigeonsPlugin(port({ default: () => loft('tame') }))] });
  assert.is(service.core.ports.pigeons.idOf('ws_1'), 'tame');
});

const refusalOf = (options: object): string => {
  try {
    createService({ ...base(), plugins: [pigeonsPlugin()], ...options } as Parameters<typeof createService>[0]);
  } catch (error) {
    return (error as Error).message;
  }
  return 'composed';
};

test('a missing required adapter is reported with the plugin, the option and the shared tests', () => {
  assert.match(refusalOf({}), 'pigeons needs the option pigeons of createService. Releases pigeons.');
  const withSuite = pigeonsPlugin(port({ suite: 'pigeonSuite of pigeons/testing' }));
  assert.match(
    refusalOf({ plugins: [withSuite] }),
    'Releases pigeons. Its shared tests: pigeonSuite of pigeons/testing.',
  );
});

test('an invalid adapter is refused', () => {
  assert.match(refusalOf({ pigeons: 'grey' }), 'The option pigeons of createService is not an adapter.');
  assert.match(refusalOf({ pigeons: { release: () => '' } }), 'is not an adapter: it has no id.');
  assert.match(refusalOf({ pigeons: { id: 'grey', release: true } }), 'is not an adapter: it has no release.');
  assert.is(refusalOf({ pigeons: loft('grey') }), 'composed');
});

test('an option that is unknown to the core and to all composed plugins is refused by name', () => {
  const message = refusalOf({ pigeons: loft('grey'), pigeon: loft('grey'), mail: undefined, plugin: [] });
  assert.match(message, 'createService has no option pigeon, and no composed plugin declares a port of that name.');
  assert.match(message, 'createService has no option plugin,');
  assert.not.match(message, 'option mail');
});

test('two plugins cannot declare the same port, and no plugin can declare a port with a name of the core', () => {
  const pluginWithPort = (id: string, name: string) => definePlugin({ id, ports: { [name]: port() } as never });
  const message = refusalOf({
    plugins: [pluginWithPort('a', 'pigeons'), pluginWithPort('b', 'pigeons')],
    pigeons: loft('grey'),
  });
  assert.match(message, 'The port pigeons is declared by a and by b.');
  for (const name of ['storage', 'plugins', 'keyring', 'timeline', 'now'])
    assert.match(
      refusalOf({ plugins: [pluginWithPort('a', name)] }),
      `The port ${name} of a has a name that the core uses.`,
    );
});

test('TypeScript accepts exactly the ports of the composed plugins, with their adapters', () => {
  const compositions = () => {
    createService({ ...base(), plugins: [pigeonsPlugin()], pigeons: loft('grey') });
    // @ts-expect-error: an adapter of another port
    createService({ ...base(), plugins: [pigeonsPlugin()], pigeons: { id: 'egg' } });
    // @ts-expect-error: no composed plugin brings this port
    createService({ ...base(), plugins: [definePlugin({ id: 'geese' })], pigeons: loft('grey') });
  };
  assert.type(compositions, 'function');
});

test.run();
