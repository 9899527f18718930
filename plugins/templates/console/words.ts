// The words of the console for the states of a template.
import { type Html, pill } from '../../../core/unstable.ts';

interface State {
  readonly status: 'draft' | 'published' | 'archived';
  readonly version: number;
}

/** The state as a pill. */
export function templatePill({ status, version }: State): Html {
  if (status === 'archived') return pill('Archived');
  return status === 'published' || version > 0 ? pill('Published', 'good') : pill('Draft', 'wait');
}
