// The names of members on pages of the console that show who did something.
import type { ConsoleContext } from '../../core/index.ts';

/** Names of members by uid. Empty if the person may not list members. */
export async function memberNames({ mayCall, calls }: ConsoleContext): Promise<ReadonlyMap<string, string>> {
  if (!mayCall('workspace.members')) return new Map();
  const { data } = await calls.workspace.members({ limit: 100 });
  return new Map(data.map(({ uid, name }) => [uid, name]));
}
