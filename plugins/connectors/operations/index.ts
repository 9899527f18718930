import { listCatalog } from './list-catalog.ts';
import { listConnectors } from './list-connectors.ts';

export const operations = [listCatalog, listConnectors] as const;
