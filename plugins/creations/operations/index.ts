// The operations of the plugin, in the order of the reference.
import { approveStrategy } from './approve-strategy.ts';
import { cancelCreation } from './cancel-creation.ts';
import { listCreations } from './list-creations.ts';
import { readCreation } from './read-creation.ts';
import { rejectStrategy } from './reject-strategy.ts';
import { retryItem } from './retry-item.ts';
import { spawnCreation } from './spawn-creation.ts';

export const operations = [
  listCreations,
  readCreation,
  spawnCreation,
  approveStrategy,
  rejectStrategy,
  retryItem,
  cancelCreation,
] as const;
