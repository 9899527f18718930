// Removes every file of a deleted workspace. May run again after a failure.
import type { ServiceContext } from '../../core/index.ts';
import { workspacePrefix } from './keys.ts';
import { noStore } from './no-assets.ts';

export async function removeWorkspaceBytes({ ports }: ServiceContext, workspaceId: string): Promise<void> {
  const store = await ports.assets.of(workspaceId);
  if (store.id === noStore) return;
  for (;;) {
    const objects = await store.list(workspacePrefix(workspaceId));
    if (objects.length === 0) return;
    for (const { key } of objects) await store.delete(key);
  }
}
