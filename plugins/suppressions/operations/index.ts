import { createSuppression } from './create-suppression.ts';
import { deleteSuppression } from './delete-suppression.ts';
import { listSuppressions } from './list-suppressions.ts';

export const operations = [listSuppressions, createSuppression, deleteSuppression] as const;
