// The standard plugins with networks that keep their posts in memory. Users of the package compose `standardPlugins`.
import type { Plugin } from '../../core/index.ts';
import { connectorsPlugin, standardPlugins, templatesPlugin } from '../../plugins/index.ts';
import { testNetworks } from './social-networks.ts';

/** The standard plugins with networks, for tests that run the fixtures of all operations. */
export const connectedStandardPlugins = standardPlugins.map((plugin) =>
  plugin.id === 'connectors' ? connectorsPlugin({ providers: testNetworks() }) : plugin,
);

/** The plugins without one of them, and without those that require it */
export function withoutPlugin<P extends Plugin>(plugins: readonly P[], removedId: string): P[] {
  const otherPlugins = plugins.filter(({ id }) => id !== removedId);
  const [next] = otherPlugins.filter(({ requires }) => requires.includes(removedId));
  return next === undefined ? otherPlugins : withoutPlugin(withoutPlugin(otherPlugins, next.id), removedId);
}

/**
 * The same plugins without the starter templates: workspaces begin without templates, and every template key is free. For tests that name
 * or count their own templates.
 */
export const bareStandardPlugins = connectedStandardPlugins.map((plugin) =>
  plugin.id === 'templates' ? templatesPlugin({ starters: false }) : plugin,
);
