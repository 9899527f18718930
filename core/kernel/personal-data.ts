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

/** The most records of a kind in an export, on each side. */
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

const marked = (record: unknown): unknown =>
  typeof record === 'object' && record !== null && !Array.isArray(record) ? { ...record, sandbox: true } : record;

/** Makes the port; `core` is called at the first use. */
export function createPersonalData(
  registry: Pick<Registry, 'plugins' | 'operations' | 'tables' | 'migrations'>,
  core: () => Core,
): PersonalDataPort {
  const outputs = new Map(
    [...registry.operations.values()].map(({ method, path, output }) => [`${method} ${path}`, output]),
  );
  const composed = registry.plugins.flatMap(({ id, personalData, tables }): Part[] =>
    personalData === undefined
      ? []
      : [{ id, personalData, sides: Object.values(tables).some(({ sides }) => sides === true) }],
  );
  // Each table is searched once per side, whatever other tables its plugin has.
  const searches = [...registry.tables].flatMap(([table, { personal, sides = false }]): Part[] => {
    if (personal?.searched !== true) return [];
    const sweep: PersonalData['sweep'] = (place, finder) => searchTable(registry, table, personal, place, finder);
    return [{ id: table, personalData: { export: async () => ({}), erase: async () => 'done', sweep }, sides }];
  });
  const parts: readonly Part[] = [...composed, { id: 'core', personalData: corePersonalData, sides: true }];
  const identify = async (side: WorkspaceHandle, name: PersonName, lock?: 'update') => {
    for (const { personalData } of composed) {
      const found = (await personalData.identify?.(side, name, lock)) ?? [];
      if (found.length > 0) return found;
    }
    return [];
  };
  return {
    identify: (handle, name, lock) => identifyOnSides((side, one) => identify(side, one, lock), handle, name),

    async erase(ctx, subjects) {
      let left: 'done' | 'more' = 'done';
      for (const { part, subject } of tasksOf(parts, subjects, ctx.sandbox)) {
        const sideCtx = onSide(ctx, subject.sandbox);
        if ((await part.personalData.erase(sideCtx, subject)) === 'more') left = 'more';
      }
      for (const subject of subjects.filter(({ sandbox }) => sandbox || !ctx.sandbox)) {
        const handle = ctx.trx.onSide(subject.sandbox);
        if ((await eraseDeclared(registry, handle, subject, ctx.sandbox)) === 'more') left = 'more';
      }
      return left;
    },

    async sweep(place, subjects) {
      const { workspaceId, sandboxOnly } = await place.read(async (handle) => ({
        workspaceId: handle.workspaceId,
        sandboxOnly: handle.sandbox === true,
      }));
      await sweepPersonalData(place, workspaceId, subjects, outputs);
      for (const { part, subject } of tasksOf([...composed, ...searches], subjects, sandboxOnly))
        if (subject.emails.length > 0)
          await part.personalData.sweep?.(
            sweepContextOnSide(place, subject.sandbox),
            createAddressFinder(workspaceId, subject.emails),
          );
    },

    async export(handle, subjects) {
      const found: Record<string, Record<string, readonly unknown[]>> = {};
      for (const { part, subject } of tasksOf(parts, subjects, handle.sandbox === true)) {
        const { id, personalData, sides } = part;
        const side = readContextOf(core(), handle.onSide(subject.sandbox), core().ports.now());
        const kinds = await personalData.export(side, subject, maxExported);
        const own = found[id] ?? {};
        found[id] = own;
        for (const [kind, records] of Object.entries(kinds))
          own[kind] = [...(own[kind] ?? []), ...(sides && subject.sandbox ? records.map(marked) : records)];
      }
      return found;
    },
  };
}
