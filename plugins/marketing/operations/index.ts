import { createIcp } from './create-icp.ts';
import { listIcps } from './list-icps.ts';
import { patchStrategy } from './patch-strategy.ts';
import { readDefaults } from './read-defaults.ts';
import { readIcp } from './read-icp.ts';
import { readStrategy } from './read-strategy.ts';
import { setDefaults } from './set-defaults.ts';
import { updateIcp } from './update-icp.ts';

export const operations = [
  readStrategy,
  patchStrategy,
  listIcps,
  readIcp,
  createIcp,
  updateIcp,
  readDefaults,
  setDefaults,
] as const;
