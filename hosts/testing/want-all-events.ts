// Registers an interest in all events: events without an interest are not written, and a test could not count them.
import type { Service } from '../../core/kernel/compose.ts';
import { setInterests } from '../../core/pipeline/event-interests.ts';
import { oneSide } from '../../core/storage/scope.ts';

/** From now on every event of both sides of the workspace is kept in the outbox. */
export async function wantAllEvents({ core }: Pick<Service, 'core'>, workspaceId: string): Promise<void> {
  const database = await core.database();
  await database.transact(async (scope) => {
    for (const sandbox of [false, true])
      await setInterests(scope.handle(oneSide(workspaceId, sandbox)), { consumer: 'testing', subject: 'testing' }, [
        '*',
      ]);
  });
}
