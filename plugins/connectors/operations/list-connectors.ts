import { defineList } from '../../../core/index.ts';
import { presentConnector } from '../present.ts';
import { connectorResource } from '../schema.ts';
import { connectorRows } from '../tables.ts';
import { someConnector } from './fixture-rows.ts';

export const listConnectors = defineList({
  id: 'connectors.list',
  summary: 'List connectors',
  description: "Newest first: the workspace's own accounts with providers. Credentials are never returned.",
  http: 'GET /v1/connectors',
  tool: 'list_connectors',
  scopes: ['connectors:read'],
  rows: connectorRows,
  item: connectorResource,
  present: presentConnector,
  exampleRow: someConnector,
});
