import { previewTemplates } from './preview-templates.ts';
import { pullTemplates } from './pull-templates.ts';
import { pushTemplates } from './push-templates.ts';
import { writeTypes } from './write-types.ts';

/** Creates the commands of a service whose new workspaces get these starters. */
export const createCommands = (starters: Parameters<typeof writeTypes>[0]) => [
  pullTemplates,
  pushTemplates,
  previewTemplates,
  writeTypes(starters),
];
