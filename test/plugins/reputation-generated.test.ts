// time-limit: 240
import { createOperations } from '../../plugins/reputation/operations/index.ts';
import { rulesOf } from '../../plugins/reputation/options.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('reputation', createOperations(rulesOf({})));
