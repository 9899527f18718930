// service.changelog: entries that the embedding program publishes. Every workspace gets them as api.changelog.published. The
// entry is written here; announcements.ts emits the events, in any process that runs the schedules.
import { hash } from 'node:crypto';
import { coreErrors } from '../contract/errors/core-errors.ts';
import { checkValue, faultSentence } from '../contract/errors/input-faults.ts';
import { isStorageError } from '../contract/ports/storage.ts';
import * as z from '../contract/schemas/zod.ts';
import type { Core } from '../pipeline/core.ts';
import { unscoped } from '../storage/scope.ts';

/** A changelog entry. */
export interface ChangelogEntry {
  /** 1 to 200 characters. */
  readonly title: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** A page with details; http or https. (Default: none) */
  readonly link?: string;
  /** The changes, 1 to 100 sentences. */
  readonly changes: readonly string[];
}

/** `service.changelog`. */
export interface Changelog {
  /**
   * Publishes an entry: within a minute, a started process emits api.changelog.published in every workspace that has a consumer
   * for it. Returns `published: false` if an entry with this title and date exists: it is not announced again.
   * @throws validation_failed
   */
  publish(entry: ChangelogEntry): Promise<{ readonly published: boolean }>;
}

const entrySchema = z.strictObject({
  title: z.string().trim().min(1).max(200),
  date: z.iso.date(),
  link: z.url({ protocol: /^https?$/ }).optional(),
  changes: z.array(z.string().trim().min(1).max(1_000)).min(1).max(100),
});

export const createChangelog = (core: Core): Changelog => ({
  async publish(entry) {
    const checked = checkValue(entrySchema, entry, 'The entry');
    if (!checked.ok) {
      const reasons = checked.faults.map(faultSentence).join(' ');
      throw coreErrors.validation_failed({ summary: `The changelog entry is not valid. ${reasons}` });
    }
    const { title, date, link = null, changes } = checked.data;
    const row = {
      id: hash('sha256', JSON.stringify([title, date])),
      title,
      published_on: date,
      link,
      changes: JSON.stringify(changes),
      created_at: core.ports.now(),
      announced_until: '',
      finished_at: null,
    };
    const database = await core.database();
    try {
      await database.transact(async (scope) => {
        await scope
          .handle(unscoped('the changelog belongs to no workspace'))
          .db.insertInto('changelog')
          .values(row)
          .execute();
      });
      return { published: true };
    } catch (error) {
      if (isStorageError(error, 'unique')) return { published: false };
      throw error;
    }
  },
});
