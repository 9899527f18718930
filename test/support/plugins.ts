// The standard plugins without the starter templates: workspaces begin empty, and every template key is free. For tests
// that name or count templates of their own. Users compose `standardPlugins`.
import { standardPlugins, templatesPlugin } from '../../plugins/index.ts';

export const bareStandardPlugins = standardPlugins.map((plugin) =>
  plugin.id === 'templates' ? templatesPlugin({ starters: false }) : plugin,
);
