// The standard plugins with networks that keep their posts in memory. Users compose `standardPlugins`.
import type { Plugin } from '../../core/index.ts';
import { connectorsPlugin, standardPlugins, templatesPlugin } from '../../plugins/index.ts';
import { testNetworks } from './social-networks.ts';

/** The standard plugins with networks, for tests that run the fixtures of all operations. */
export const connectedStandardPlugins = standardPlugins.map((plugin) =>
  plugin.id === 'connectors' ? connectorsPlugin({ providers: testNetworks() }) : plugin,
);

/** Removes a plugin, and the plugins that require it. */
export function withoutPlugin<P extends Plugin>(plugins: readonly P[], left: string): P[] {
  const others = plugins.filter(({ id }) => id !== left);
  const [next] = others.filter(({ requires }) => requires.includes(left));
  return next === undefined ? others : withoutPlugin(withoutPlugin(others, next.id), left);
}

/**
 * The same plugins without the starter templates: workspaces begin empty, and every template key is free. For tests that name or
 * count templates of their own.
 */
export const bareStandardPlugins = connectedStandardPlugins.map((plugin) =>
  plugin.id === 'templates' ? templatesPlugin({ starters: false }) : plugin,
);
