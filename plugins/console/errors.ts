// The refusals of the console. No operation answers them.
import { defineErrors } from '../../core/index.ts';
import { pageErrors } from '../../core/unstable.ts';

export const errors = defineErrors(pageErrors('console', 'the console'));
