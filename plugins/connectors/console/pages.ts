// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { connectorList } from './list.ts';

export const connectors: ConsolePageContent = { render: connectorList };
