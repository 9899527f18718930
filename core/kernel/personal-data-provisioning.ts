// service.personalData: what the embedding program is asked for by a person, and what it is asked to forget. Audited.
import type { AuditTarget } from '../contract/context.ts';
import { coreErrors } from '../contract/core-errors.ts';
import type { DataSubject, PersonName } from '../contract/personal-data.ts';
import type { Core } from '../pipeline/core.ts';
import { inWorkspace, readWorkspace } from './workspace-transaction.ts';

/** Everything that is held of a person, by plugin id, then kind of record: JSON as the API shows such records. */
export type PersonalDataExport = Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;

/** `service.personalData`. */
export interface PersonalDataProvisioning {
  /** What every composed plugin holds of a person, at most 10,000 records a kind, the newest. @throws validation_failed without a name */
  export(workspaceId: string, person: PersonName): Promise<PersonalDataExport>;
  /**
   * Erases a person everywhere and answers when that is done: addresses are pseudonyms from then on, figures stay, and
   * what protects an address goes on protecting it. Repeating it is harmless. @throws validation_failed without a name
   */
  erase(workspaceId: string, person: PersonName): Promise<void>;
}

const targetOf = ({ personId }: DataSubject): AuditTarget => ({ kind: 'person', id: personId ?? 'address' });

function checkName({ personId, email }: PersonName): void {
  if (personId === undefined && email === undefined)
    throw coreErrors.validation_failed({ summary: 'Name the person: give personId or email.' });
}

/** For the embedding program. */
export function createPersonalDataProvisioning(core: Core): PersonalDataProvisioning {
  const { personalData } = core.ports;
  return {
    async export(workspaceId, person) {
      checkName(person);
      const workspace = await readWorkspace(core, workspaceId);
      const database = await core.database();
      const { subject, found } = await database.read(workspaceId, async (handle) => {
        const subject = await personalData.identify(handle, person);
        return { subject, found: await personalData.export(handle, subject) };
      });
      await inWorkspace(core, workspace, async ({ audit }) => audit('personal_data.export', targetOf(subject)));
      return found;
    },
    async erase(workspaceId, person) {
      checkName(person);
      const workspace = await readWorkspace(core, workspaceId);
      const database = await core.database();
      const subject = await database.read(workspaceId, (handle) => personalData.identify(handle, person));
      for (let first = true, left = 'more'; left === 'more'; first = false) {
        left = await inWorkspace(core, workspace, async (effects) => {
          if (first) effects.audit('personal_data.erase', targetOf(subject));
          return personalData.erase(effects, subject);
        });
      }
      const place = {
        read: <T>(work: Parameters<typeof database.read<T>>[1]) => database.read(workspaceId, work),
        write: <T>(work: (effects: Parameters<typeof personalData.erase>[0]) => Promise<T>) =>
          inWorkspace(core, workspace, work),
        signal: new AbortController().signal,
      };
      await personalData.sweep(place, subject);
    },
  };
}
