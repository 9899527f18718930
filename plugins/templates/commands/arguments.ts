// Arguments that the commands on files share.
import type { CommandArgument } from '../../../core/index.ts';

export const keysArgument = {
  type: 'positional',
  multiple: true,
  description: 'Keys of templates (default: all)',
} as const satisfies CommandArgument;

export const folderArgument = {
  type: 'string',
  default: 'templates',
  hint: 'FOLDER',
  description: 'The folder of the files',
} as const satisfies CommandArgument;
