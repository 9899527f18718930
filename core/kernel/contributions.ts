// The extension points of the composed plugins, and the entries that plugins contribute. The registry checks the declarations
// here; container.ts makes ctx.ports.contributions. An entry is made once, at the first use of its point.
import type { ServiceContext } from '../contract/context/context.ts';
import type { ContributionsPort } from '../contract/declaration/extension.ts';
import type { Plugin } from '../contract/declaration/plugin.ts';
import { didYouMean } from '../contract/errors/suggestion.ts';

const ownerOf = (point: string): string => point.slice(0, point.indexOf('.'));

/**
 * Reports points whose name does not begin with their owner's id, and entries for points that their composed owner does not
 * declare. Entries for a plugin that is not composed are unused. `points` maps each point to its owner.
 */
export function extensionFaults(plugins: ReadonlyMap<string, Plugin>, points: ReadonlyMap<string, string>): string[] {
  const faults = [...points]
    .filter(([point, owner]) => ownerOf(point) !== owner)
    .map(([point, owner]) => `The extension point ${point} of ${owner} does not begin with "${owner}.".`);
  for (const { id, contributes } of plugins.values())
    for (const point of Object.keys(contributes)) {
      if (points.has(point) || !plugins.has(ownerOf(point))) continue;
      const hint = didYouMean(point, [...points.keys()]);
      faults.push(`${id} contributes to ${point}, and ${ownerOf(point)} declares no such extension point.${hint}`);
    }
  return faults;
}

/** Makes the port; `context` is called at the first use. */
export function createContributions(plugins: readonly Plugin[], context: () => ServiceContext): ContributionsPort {
  const entries = new Map<string, ReadonlyMap<string, unknown>>();
  const entriesOf = (point: string): ReadonlyMap<string, unknown> => {
    const byPlugin = new Map<string, unknown>();
    for (const { id, contributes } of plugins) {
      const factory = Object.hasOwn(contributes, point) ? contributes[point] : undefined;
      if (factory !== undefined) byPlugin.set(id, factory(context()));
    }
    return byPlugin;
  };
  const port = (point: string): ReadonlyMap<string, unknown> => {
    const cached = entries.get(point);
    if (cached !== undefined) return cached;
    const built = entriesOf(point);
    entries.set(point, built);
    return built;
  };
  // definePlugin has checked the type of each entry.
  return port as ContributionsPort;
}
