import type { ScheduleDeclaration } from '../../../core/index.ts';

/** Reseals credentials after the keyring got a new first key, so that the old key can be removed. */
export const resealCredentials: ScheduleDeclaration = {
  id: 'connectors.reseal',
  description: "Seals credentials under the keyring's first key if another key had sealed them.",
  everyMs: 86_400_000,
  async run({ eachWorkspace, services, log }) {
    await eachWorkspace(async (ctx) => {
      const unreadable = await services.vault.reseal(ctx);
      if (unreadable.length > 0)
        log.error(
          { workspace: ctx.workspace.id, owners: unreadable },
          'credentials cannot be opened: was a key taken out of the keyring?',
        );
    });
  },
};
