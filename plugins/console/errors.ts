// The errors of the console's own pages. No operation returns them.
import { defineErrors } from '../../core/index.ts';
import { pageErrors } from '../../core/unstable.ts';

export const errors = defineErrors(pageErrors('console', 'the console'));
