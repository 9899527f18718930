// ctx.ports.personalData: exports and erases a person's data over the core and all composed plugins. Made by container.ts.

import type { WorkspaceHandle } from '../contract/context/handle.ts';
import { onSide } from '../contract/context/on-side.ts';
import type {
  PersonalData,
  PersonalDataPort,
  PersonIdentifiersOnSide,
  PersonName,
} from '../contract/declaration/personal-data.ts';
import type { Core, Registry } from '../pipeline/core.ts';
import { readContextOf } from '../pipeline/read-context.ts';
import { createAddressFinder } from './personal-data-addresses.ts';
import { corePersonalData } from './personal-data-core.ts';
import { searchTable } from './personal-data-search.ts';
import { identifyOnSides, sweepContextOnSide } from './personal-data-sides.ts';
import { sweepPersonalData } from './personal-data-sweep.ts';
import { eraseDeclared } from './personal-data-tables.ts';

/** The largest number of records of a kind in an export, on each side. */
const maxExported = 10_000;

interface Part {
  readonly id: string;
  readonly personalData: PersonalData;
  /** Whether its tables have sides. */
  readonly sides: boolean;
}

interface Task {
  readonly part: Part;
  readonly subject: PersonIdentifiersOnSide;
}

/**
 * Chooses the subjects for a part. Rows without sides belong to the live side: a sandbox erasure does not touch them, and a
 * live erasure handles each address once.
 */
function* tasksOf(
  parts: readonly Part[],
  subjects: readonly PersonIdentifiersOnSide[],
  sandboxOnly: boolean,
): Generator<Task> {
  const usedEmails = new Set<string>();
  for (const subject of subjects.filter(({ sandbox }) => sandbox || !sandboxOnly)) {
    const emails = subject.emails.filter((email) => !usedEmails.has(email));
    for (const part of parts)
      if (part.sides) yield { part, subject };
      else if (!sandboxOnly) yield { part, subject: { ...subject, emails } };
    for (const email of emails) usedEmails.add(email);
  }
}

const withSandboxFlag = (record: unknown): unknown =>
  typeof record === 'object' && record !== null && !Array.isArray(record) ? { ...record, sandbox: true } : record;

/** Makes the port; `core` is called at the first use. */
export function createPersonalData(
  registry: Pick<Registry, 'plugins' | 'operations' | 'tables' | 'migrations'>,
  core: () => Core,
): PersonalDataPort {
  const outputs = new Map(
    [...registry.operations.values()].map(({ method, path, output }) => [`${method} ${path}`, output]),
  );
  const pluginParts = registry.plugins.flatMap(({ id, personalData, tables }): Part[] =>
    personalData === undefined
      ? []
      : [{ id, personalData, sides: Object.values(tables).some(({ sides }) => sides === true) }],
  );
  // Each table is searched once per side, whatever other tables its plugin has.
  const searches = [...registry.tables].flatMap(([table, { personal, sides = false }]): Part[] => {
    if (personal?.searched !== true) return [];
    const sweep: PersonalData['sweep'] = (sweepContext, finder) =>
      searchTable(registry, table, personal, sweepContext, finder);
    return [{ id: table, personalData: { export: async () => ({}), erase: async () => 'done', sweep }, sides }];
  });
  const parts: readonly Part[] = [...pluginParts, { id: 'core', personalData: corePersonalData, sides: true }];
  const identify = async (side: WorkspaceHandle, name: PersonName, lock?: 'update') => {
    for (const { personalData } of parts) {
      const records = (await personalData.identify?.(side, name, lock)) ?? [];
      if (records.length > 0) return records;
    }
    return [];
  };
  return {
    identify: (handle, name, lock) =>
      identifyOnSides((side, nameToFind) => identify(side, nameToFind, lock), handle, name),

    async erase(ctx, subjects) {
      let progress: 'done' | 'more' = 'done';
      for (const { part, subject } of tasksOf(parts, subjects, ctx.sandbox)) {
        const sideCtx = onSide(ctx, subject.sandbox);
        if ((await part.personalData.erase(sideCtx, subject)) === 'more') progress = 'more';
      }
      for (const subject of subjects.filter(({ sandbox }) => sandbox || !ctx.sandbox)) {
        const handle = ctx.trx.onSide(subject.sandbox);
        if ((await eraseDeclared(registry, handle, subject, ctx.sandbox)) === 'more') progress = 'more';
      }
      return progress;
    },

    async sweep(context, subjects) {
      const { workspaceId, sandboxOnly } = await context.read(async (handle) => ({
        workspaceId: handle.workspaceId,
        sandboxOnly: handle.sandbox === true,
      }));
      await sweepPersonalData(context, workspaceId, subjects, outputs);
      for (const { part, subject } of tasksOf([...parts, ...searches], subjects, sandboxOnly))
        if (subject.emails.length > 0)
          await part.personalData.sweep?.(
            sweepContextOnSide(context, subject.sandbox),
            createAddressFinder(workspaceId, subject.emails),
          );
    },

    async export(handle, subjects) {
      const exported: Record<string, Record<string, readonly unknown[]>> = {};
      for (const { part, subject } of tasksOf(parts, subjects, handle.sandbox === true)) {
        const { id, personalData, sides } = part;
        const side = readContextOf(core(), handle.onSide(subject.sandbox), core().ports.now());
        const kinds = await personalData.export(side, subject, maxExported);
        const ofPart = exported[id] ?? {};
        exported[id] = ofPart;
        for (const [kind, records] of Object.entries(kinds))
          ofPart[kind] = [
            ...(ofPart[kind] ?? []),
            ...(sides && subject.sandbox ? records.map(withSandboxFlag) : records),
          ];
      }
      return exported;
    },
  };
}
