// Connectors of tenants with accounts at Resend. Composed by the embedding program with `connectorsPlugin`.

import { z } from 'zod';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import { type ConnectorProvider, defineConnector } from '../../plugins/connectors/port/index.ts';
import { apiKey, mailFaultOf } from '../kit/mail-connector.ts';
import { type ResendMailOptions, resendMail } from './resend-mail.ts';

/** The options that all connectors share. */
export type ResendConnectorOptions = Pick<ResendMailOptions, 'url' | 'timeoutMs'>;

/** Connectors of the provider `resend`: `credentials: { apiKey }`, no options. */
export const resendConnector = (shared: ResendConnectorOptions = {}): ConnectorProvider<'mail'> => {
  checkOptions<ResendConnectorOptions>('resendConnector', shared, { url: 'optional', timeoutMs: 'optional' });
  return defineConnector({
    kind: 'mail',
    provider: 'resend',
    name: 'Resend',
    credentials: z.strictObject({ apiKey: apiKey.describe('The permission Sending access suffices.') }),
    options: z.strictObject({}),
    connect: ({ credentials }) => resendMail({ ...shared, ...credentials }),
    faultOf: mailFaultOf,
  });
};
