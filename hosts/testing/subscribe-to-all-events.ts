// Subscribes a test to all events. Events without a subscription are not written, and a test could not count them.
import type { Service } from '../../core/kernel/compose.ts';
import { setInterests } from '../../core/pipeline/event-interests.ts';
import { oneSide } from '../../core/storage/scope.ts';

/** Keeps every event of both sides of the workspace in the outbox from now on. */
export async function subscribeToAllEvents({ core }: Pick<Service, 'core'>, workspaceId: string): Promise<void> {
  const database = await core.database();
  await database.transact(async (scope) => {
    for (const sandbox of [false, true])
      await setInterests(
        scope.handle(oneSide(workspaceId, sandbox)),
        { consumer: 'testing', subscriberId: 'testing' },
        ['*'],
      );
  });
}
