import type { TableDeclaration } from '../../core/index.ts';
import { newsTables } from './news/tables.ts';
import { planRuns } from './runs/tables.ts';

export const tables: Readonly<Record<string, TableDeclaration>> = { ...newsTables, plan_runs: planRuns };
