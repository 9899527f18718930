// The function: `handler` for all events, and `migrate`, which a deployment calls.
import { lambdaHost } from 'postrider/lambda';
import { service } from './service.js';

const { SETTLE_MS = '2000' } = process.env;

export const handler = lambdaHost(service, { settleMs: Number(SETTLE_MS) });

export const migrate: typeof handler = (_event, context) => handler({ action: 'migrate' }, context);
