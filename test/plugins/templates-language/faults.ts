/** Returns the fault that `run` throws. The test fails if `run` throws anything else, or nothing. */
import * as assert from 'uvu/assert';
import { isTemplateFault, type TemplateFault } from '../../../plugins/templates/language/fault.ts';

export function faultOf(run: () => unknown): TemplateFault {
  try {
    run();
  } catch (error) {
    assert.ok(isTemplateFault(error), `not a declared fault: ${String(error)}`);
    return error;
  }
  return assert.unreachable('a fault was expected') as never;
}
