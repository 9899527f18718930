// The Dry-Run header. Called by rest.ts and by the tool endpoint.
import { validationFailed } from '../pipeline/validate.ts';

/**
 * Whether the header asks for a dry run.
 * @throws validation_failed for anything but true and false: a call that was meant to be dry must not happen after all
 */
export function readDryRun(header: string | undefined): boolean {
  const value = header?.trim().toLowerCase() ?? 'false';
  if (value === 'true' || value === 'false') return value === 'true';
  throw validationFailed([
    { path: 'Dry-Run', code: 'invalid_value', message: 'The header Dry-Run says true or false. Or leave it out.' },
  ]);
}
