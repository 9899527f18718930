// Registers an interest in all events: events without an interest are not written, and a test could not count them.
import type { Service } from '../kernel/compose.ts';
import { setInterests } from '../pipeline/event-interests.ts';

/** From now on the outbox keeps every event of the workspace. */
export async function wantAllEvents({ core }: Pick<Service, 'core'>, workspaceId: string): Promise<void> {
  const database = await core.database();
  await database.transact((scope) =>
    setInterests(scope.handle(workspaceId), { consumer: 'testing', subject: 'testing' }, ['*']),
  );
}
