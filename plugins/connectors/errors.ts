import { defineErrors, notFound } from '../../core/index.ts';

export const errors = defineErrors({
  connector_not_found: notFound('connector', 'GET /v1/connectors'),
});
