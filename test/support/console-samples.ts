// The service of `postrider dev` with its sample data, in memory. For tests and pictures of the console.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Service } from '../../core/index.ts';
import { composeDevelopment, type DevelopmentOptions } from '../../hosts/cli/development/compose.ts';
import { seed } from '../../hosts/cli/development/seed.ts';

type Composed = Service<'broadcasts' | 'contacts' | 'segments' | 'sequences'>;

/** Opens the service. The import is a sample that development does not have. (Default of `storage`: a database in memory) */
export async function openSamples(more: Pick<DevelopmentOptions, 'storage' | 'tablePrefix'> = {}) {
  const cwd = await mkdtemp(join(tmpdir(), 'samples-'));
  const service = await composeDevelopment(cwd, {
    inMemory: true,
    publicUrl: 'http://localhost:3999',
    ...more,
  });
  await service.migrate();
  const seeded = await seed(service, { cwd, origin: 'http://localhost:3999', asked: undefined });
  if (seeded === undefined) throw new Error('Development has made no workspace.');
  const workspaceId = seeded.workspace.id;
  const calls = (service as Composed).as(workspaceId, { sandbox: true });
  const { import_id: importId } = await calls.contacts.import({ csv: 'email\nada@example.com\n' });
  const close = async () => {
    await service.stop();
    await rm(cwd, { recursive: true });
  };
  return { service, calls, workspaceId, importId, close };
}
