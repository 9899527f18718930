import { presenter } from '../../core/index.ts';
import { connectorResource } from './schema.ts';
import { connectors } from './tables.ts';

/** A connector as the API shows it. */
export const presentConnector = presenter(connectors, connectorResource);
