// Service members that plugins add for the embedding program: they are created at their first use, typed by the composed plugins, bound
// to a workspace, and refused if the name already exists.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import {
  type CompositionError,
  createService,
  definePlugin,
  type Plugin,
  type ProvisioningContext,
} from '../../core/index.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { workspacePlugin } from '../../plugins/workspace/index.ts';

interface Bell {
  ring(workspaceId: string): Promise<string>;
}

declare module '../../core/contract/open.ts' {
  interface Provisioning {
    bell: { plugin: 'bells'; calls: Bell };
    'workspaces.bell': { plugin: 'bells'; calls: Bell };
  }
}

const test = suite('provisioning of plugins');

let count = 0;
const createBell = ({ read, write, services: _, ports }: ProvisioningContext): Bell => {
  count += 1;
  return {
    async ring(workspaceId) {
      const before = await read(workspaceId, async ({ trx }) => trx.workspaceId);
      return write(workspaceId, async ({ workspace, audit }) => {
        audit('bell.ring', { kind: 'bell', id: ports.service.slug });
        return `${workspace.name} ${before === workspace.id}`;
      });
    },
  };
};

const bellsPlugin = (names: readonly string[] = ['bell'], id = 'bells') =>
  definePlugin({ id, provisioning: Object.fromEntries(names.map((name) => [name, createBell])) } as {
    readonly id: 'bells';
  });

const faultsOf = (plugins: readonly Plugin[]): readonly string[] => {
  try {
    createService({ storage: sqliteStorage({ filename: ':memory:' }), plugins });
  } catch (error) {
    return (error as CompositionError).faults;
  }
  return [];
};

test('the program can call the member of a plugin, and a service without the plugin lacks it', async () => {
  const { service, workspaceId, close } = await createTestService({ plugins: [workspacePlugin(), bellsPlugin()] });
  try {
    assert.is(count, 0);
    assert.is(await service.bell.ring(workspaceId), 'Under test true');
    await service.bell.ring(workspaceId);
    assert.is(count, 1);
    await service.bell.ring('ws_none').then(
      () => assert.unreachable('the bell rang in an unknown workspace'),
      ({ code }: { code: string }) => assert.is(code, 'workspace_not_found'),
    );
    const database = await service.core.database();
    const entries = await database.read(workspaceId, ({ db }) =>
      db.selectFrom('audit').select('action').where('action', '=', 'bell.ring').execute(),
    );
    assert.is(entries.length, 2);
  } finally {
    await close();
  }
  const withoutPlugin = createService({
    storage: sqliteStorage({ filename: ':memory:' }),
    plugins: [workspacePlugin()],
  });
  // @ts-expect-error: the plugin is not composed
  assert.is(withoutPlugin.bell, undefined);
});

test('a name with a dot adds a call to a member of the service', async () => {
  const plugins = [workspacePlugin(), bellsPlugin(['workspaces.bell'])] as const;
  const { service, workspaceId, close } = await createTestService({ plugins });
  try {
    assert.is(await service.workspaces.bell.ring(workspaceId), 'Under test true');
    assert.is((await service.workspaces.read(workspaceId)).name, 'Under test');
  } finally {
    await close();
  }
  assert.match(faultsOf([bellsPlugin(['workspaces.create'])]).join(), /workspaces\.create of bells has the name/);
  assert.match(faultsOf([bellsPlugin(['towers.bell'])]).join(), /towers\.bell of bells adds a call to a member/);
});

test('a name that the service or another plugin already has is refused', () => {
  assert.match(faultsOf([bellsPlugin(['workspaces'])]).join(), /The provisioning workspaces of bells has the name/);
  assert.match(
    faultsOf([bellsPlugin(), bellsPlugin(['bell'], 'towers')]).join(),
    /The provisioning bell is declared by bells and by towers/,
  );
});

test.run();
