import { explainDeliverability } from './explain-deliverability.ts';
import { createIcp, listIcps, readIcp, updateIcp } from './icps.ts';
import { patchCalendar } from './patch-calendar.ts';
import { patchStrategy } from './patch-strategy.ts';
import { readCalendar } from './read-calendar.ts';
import { readDefaults } from './read-defaults.ts';
import { readStrategy } from './read-strategy.ts';
import { setDefaults } from './set-defaults.ts';

export const operations = [
  readStrategy,
  patchStrategy,
  listIcps,
  readIcp,
  createIcp,
  updateIcp,
  readDefaults,
  setDefaults,
  readCalendar,
  patchCalendar,
  explainDeliverability,
] as const;
