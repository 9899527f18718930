// service.personalData: exports and erases a person's data at their request. Audited.
import type { AuditTarget } from '../contract/context/context.ts';
import type { PersonIdentifiersOnSide, PersonName } from '../contract/declaration/personal-data.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import type { Core } from '../pipeline/core.ts';
import { repeatOnConflict } from '../storage/repeat-on-conflict.ts';
import { inWorkspace, readWorkspace } from './workspace-transaction.ts';

/** All data about a person, by plugin id, then kind of record: JSON as the API shows such records. */
export type PersonalDataExport = Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;

/** The result of an erasure. */
export interface PersonalDataErasureResult {
  /** Whether anything about the person was stored. */
  readonly found: boolean;
  /**
   * The number of records, by plugin id, then kind of record, as an export would have shown them: at most 10,000 of a kind on
   * each side. Records that the law or a block needs are included; they stay under a pseudonym.
   */
  readonly records: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Counts the records of an export; kinds without a record are left out. */
function countsOf(exported: PersonalDataExport): PersonalDataErasureResult['records'] {
  const counts: Record<string, Readonly<Record<string, number>>> = {};
  for (const [plugin, kinds] of Object.entries(exported)) {
    const filled = Object.entries(kinds).filter(([, records]) => records.length > 0);
    if (filled.length > 0) counts[plugin] = Object.fromEntries(filled.map(([kind, { length }]) => [kind, length]));
  }
  return counts;
}

/** `service.personalData`. */
export interface PersonalDataProvisioning {
  /**
   * The data of a person in all composed plugins, on both sides: the newest 10,000 records of each kind. @throws
   * validation_failed without a name
   */
  export(workspaceId: string, person: PersonName): Promise<PersonalDataExport>;
  /**
   * Erases a person on both sides, live and sandbox, and resolves when that is done. Pseudonyms replace addresses, counts stay,
   * and blocks on an address stay in force. Repeating it is harmless. Returns the numbers of erased records.
   * @throws validation_failed without a name
   */
  erase(workspaceId: string, person: PersonName): Promise<PersonalDataErasureResult>;
}

const targetOf = (subjects: readonly PersonIdentifiersOnSide[]): AuditTarget => ({
  kind: 'person',
  id: subjects.find(({ personId }) => personId !== null)?.personId ?? 'address',
});

function checkName({ personId, externalId, email }: PersonName): void {
  if (personId === undefined && externalId === undefined && email === undefined)
    throw coreErrors.validation_failed({ summary: 'Name the person: give personId, externalId or email.' });
}

/** The personal-data calls of the embedding program. */
export function createPersonalDataProvisioning(core: Core): PersonalDataProvisioning {
  const { personalData } = core.ports;
  return {
    async export(workspaceId, person) {
      checkName(person);
      const workspace = await readWorkspace(core, workspaceId);
      const database = await core.database();
      const { subjects, exported } = await database.read(workspaceId, async (handle) => {
        const subjects = await personalData.identify(handle, person);
        return { subjects, exported: await personalData.export(handle, subjects) };
      });
      await inWorkspace(core, workspace, async ({ audit }) => audit('personal_data.export', targetOf(subjects)));
      return exported;
    },
    async erase(workspaceId, person) {
      checkName(person);
      const workspace = await readWorkspace(core, workspaceId);
      const database = await core.database();
      const records = await database.read(workspaceId, async (handle) =>
        countsOf(await personalData.export(handle, await personalData.identify(handle, person))),
      );
      const write = <T>(work: (ctx: Parameters<typeof personalData.erase>[0]) => Promise<T>) =>
        repeatOnConflict(() => inWorkspace(core, workspace, work));
      // Identified again in the transaction that erases: the person may have been stored or renamed since.
      const { subjects, ...firstRound } = await write(async (ctx) => {
        const subjects = await personalData.identify(ctx.trx, person, 'update');
        ctx.audit('personal_data.erase', targetOf(subjects));
        return { subjects, progress: await personalData.erase(ctx, subjects) };
      });
      for (let { progress } = firstRound; progress === 'more'; )
        progress = await write((ctx) => personalData.erase(ctx, subjects));
      const sweepContext = {
        read: <T>(work: Parameters<typeof database.read<T>>[1]) => database.read(workspaceId, work),
        write,
        signal: new AbortController().signal,
      };
      await personalData.sweep(sweepContext, subjects);
      return { found: Object.keys(records).length > 0, records };
    },
  };
}
