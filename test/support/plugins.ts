// The standard plugins without the starter templates: workspaces begin empty, and every template key is free. For tests
// that name or count templates of their own. Networks keep posts in the process. Users compose `standardPlugins`.
import { connectorsPlugin, standardPlugins, templatesPlugin } from '../../plugins/index.ts';
import { testNetworks } from './social-networks.ts';

export const bareStandardPlugins = standardPlugins.map((plugin) => {
  if (plugin.id === 'templates') return templatesPlugin({ starters: false });
  return plugin.id === 'connectors' ? connectorsPlugin({ providers: testNetworks() }) : plugin;
});
