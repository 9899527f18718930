// The Dry-Run header. Called by rest.ts and by the MCP endpoint.
import { validationFailed } from '../pipeline/validate.ts';

/**
 * Whether the header asks for a dry run.
 * @throws validation_failed for any value but true and false: a mistyped value must not run the call for real
 */
export function readDryRun(header: string | undefined): boolean {
  const value = header?.trim().toLowerCase() ?? 'false';
  if (value === 'true' || value === 'false') return value === 'true';
  throw validationFailed([
    { path: 'Dry-Run', code: 'invalid_value', message: 'The header Dry-Run must be true or false. Or leave it out.' },
  ]);
}
