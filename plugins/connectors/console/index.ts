// The page of connectors in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { connectorList } from './list.ts';

export const consolePages: readonly ConsoleEntry[] = [
  { area: 'Settings', path: 'connectors', title: 'Connectors', scopes: ['connectors:read'], render: connectorList },
];
