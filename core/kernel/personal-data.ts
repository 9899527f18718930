// ctx.ports.personalData: exports and erases a person's data over the core and all composed plugins. Made by container.ts.
import { onSide } from '../contract/on-side.ts';
import type { PersonalData, PersonalDataPort, SidedSubject } from '../contract/personal-data.ts';
import type { Core, Registry } from '../pipeline/core.ts';
import { readContextOf } from '../pipeline/read-context.ts';
import { createAddressFinder } from './personal-data-addresses.ts';
import { corePersonalData } from './personal-data-core.ts';
import { searchTable } from './personal-data-search.ts';
import { type Identify, identifyOnSides, placeOnSide } from './personal-data-sides.ts';
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
  readonly subject: SidedSubject;
}

/**
 * Chooses the subjects for a part. Rows without sides belong to the live side: a sandbox erasure does not touch them, and a
 * live erasure handles each address once.
 */
function* tasksOf(parts: readonly Part[], subjects: readonly SidedSubject[], sandboxOnly: boolean): Generator<Task> {
  const asked = new Set<string>();
  for (const subject of subjects.filter(({ sandbox }) => sandbox || !sandboxOnly)) {
    const emails = subject.emails.filter((email) => !asked.has(email));
    for (const part of parts)
      if (part.sides) yield { part, subject };
      else if (!sandboxOnly) yield { part, subject: { ...subject, emails } };
    for (const email of emails) asked.add(email);
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
  const identify: Identify = async (side, name) => {
    for (const { personalData } of composed) {
      const found = (await personalData.identify?.(side, name)) ?? [];
      if (found.length > 0) return found;
    }
    return [];
  };
  return {
    identify: (handle, name) => identifyOnSides(identify, handle, name),

    async erase(effects, subjects) {
      let left: 'done' | 'more' = 'done';
      for (const { part, subject } of tasksOf(parts, subjects, effects.sandbox)) {
        const there = onSide(effects, subject.sandbox);
        if ((await part.personalData.erase(there, subject)) === 'more') left = 'more';
      }
      for (const subject of subjects.filter(({ sandbox }) => sandbox || !effects.sandbox)) {
        const handle = effects.trx.onSide(subject.sandbox);
        if ((await eraseDeclared(registry, handle, subject, effects.sandbox)) === 'more') left = 'more';
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
            placeOnSide(place, subject.sandbox),
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
