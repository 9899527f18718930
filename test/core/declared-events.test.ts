// Programs that use the package get a type for the data of every event, because the imported declarations contain these types.
// full-run: slow
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { coreEvents } from '../../core/kernel/core-events.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { typePaths } from '../support/compiled.ts';
import { typeCompiler } from '../support/type-compiler.ts';

const run = promisify(execFile);
const test = suite<{ folder: string }>('events in the declarations', { folder: '' });

test.before(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'postrider-events-'));
  const compilerOptions = { paths: await typePaths(), typeRoots: [resolve('node_modules/@types')], noEmit: true };
  const config = { extends: resolve('tsconfig.json'), compilerOptions, include: ['*.mts'], exclude: [] };
  await writeFile(join(context.folder, 'tsconfig.json'), JSON.stringify(config));
});

test.after(({ folder }) => rm(folder, { recursive: true, force: true }));

const faultsOf = (folder: string): Promise<string> =>
  run(process.execPath, [typeCompiler, '-p', '.'], { cwd: folder }).then(
    () => '',
    (error: { stdout?: string }) => String(error.stdout),
  );

const types = [...coreEvents, ...standardPlugins.flatMap(({ events = [] }) => events)].map(({ type }) => type);

test('each declared event has a type', async ({ folder }) => {
  assert.ok(types.includes('budget.reached') && types.includes('link.clicked') && types.length > 30, types.join());
  const program = `
    import type { EventMap } from 'postrider';
    import 'postrider/plugins';
    export const known: readonly (keyof EventMap)[] = ${JSON.stringify(types)};
  `;
  await writeFile(join(folder, 'program.mts'), program);
  assert.is(await faultsOf(folder), '');
});

test('an event that does not exist has no type', async ({ folder }) => {
  const program = `
    import type { EventMap } from 'postrider';
    import 'postrider/plugins';
    export const known: keyof EventMap = 'send.teleported';
  `;
  await writeFile(join(folder, 'program.mts'), program);
  assert.match(await faultsOf(folder), '"send.teleported"');
});

test.run();
