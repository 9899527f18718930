// What the core and all composed plugins know of a person, and how they forget it. ctx.ports.personalData; made by
// container.ts.
import { normaliseAddress } from '../contract/addresses.ts';
import type { ServiceSurface } from '../contract/context.ts';
import type { PersonalDataPort } from '../contract/personal-data.ts';
import type { Registry } from '../pipeline/core.ts';
import { createAddressFinder } from './personal-data-addresses.ts';
import { corePersonalData } from './personal-data-core.ts';
import { sweepPersonalData } from './personal-data-sweep.ts';
import { eraseDeclared } from './personal-data-tables.ts';

/** So many records of a kind are exported. */
const maxExported = 10_000;

/** The port; `surface` is asked for when it is first used. */
export function createPersonalData(
  registry: Pick<Registry, 'plugins' | 'operations' | 'tables' | 'migrations'>,
  surface: () => ServiceSurface,
): PersonalDataPort {
  const { plugins } = registry;
  const outputs = new Map(
    [...registry.operations.values()].map(({ method, path, output }) => [`${method} ${path}`, output]),
  );
  const composed = plugins.flatMap(({ id, personalData }) =>
    personalData === undefined ? [] : [{ id, personalData }],
  );
  const parts = [...composed, { id: 'core', personalData: corePersonalData }];
  return {
    async erase(effects, subject) {
      let left: 'done' | 'more' = 'done';
      for (const { personalData } of parts)
        if ((await personalData.erase(effects, subject, surface())) === 'more') left = 'more';
      return (await eraseDeclared(registry, effects.trx, subject)) === 'more' ? 'more' : left;
    },
    async sweep(place, subject) {
      const finder = createAddressFinder(await place.read(async ({ workspaceId }) => workspaceId), subject.emails);
      await sweepPersonalData(place, subject, finder, outputs);
      if (subject.emails.length > 0) for (const { personalData } of composed) await personalData.sweep?.(place, finder);
    },
    async identify(handle, name) {
      for (const { personalData } of composed) {
        const found = await personalData.identify?.(handle, name);
        if (found !== undefined) return found;
      }
      const { personId = null, email } = name;
      return { personId, externalId: null, emails: email === undefined ? [] : [normaliseAddress(email)] };
    },
    async export(handle, subject) {
      const found: Record<string, Readonly<Record<string, readonly unknown[]>>> = {};
      for (const { id, personalData } of parts)
        found[id] = await personalData.export(handle, subject, surface(), maxExported);
      return found;
    },
  };
}
