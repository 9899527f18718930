// Chooses the side of the workspace that a command works on. Used by the commands in this folder.
import type { Workspace } from '../../../core/index.ts';

/** `--sandbox`. */
export const sandboxSwitch = {
  type: 'boolean',
  description: 'Use the contacts of the sandbox, not the live ones',
} as const;

/** True for the sandbox side. It is the only side on the plan `sandbox`. */
export const isSandboxSide = ({ plan }: Workspace, chosen: boolean): boolean => chosen || plan.name === 'sandbox';
