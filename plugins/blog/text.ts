// Whether a text can be shown. Called before it is stored.
import { coreErrors } from '../../core/index.ts';
import { textFault } from '../../core/unstable.ts';

/** @throws validation_failed */
export function checkText(body: string): void {
  const message = textFault(body);
  if (message === undefined) return;
  const details = [{ path: 'body', code: 'too_complex', message }];
  throw coreErrors.validation_failed({ summary: `body: ${message}` }, { details });
}
