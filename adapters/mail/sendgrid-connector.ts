// Connectors of tenants with accounts at SendGrid. Composed by the embedding program with `connectorsPlugin`.

import { z } from 'zod';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import { type ConnectorProvider, defineConnector } from '../../plugins/connectors/port/index.ts';
import { apiKey, mailFaultOf } from '../kit/mail-connector.ts';
import { type SendgridMailOptions, sendgridMail } from './sendgrid-mail.ts';

/** The options that all connectors share. */
export type SendgridConnectorOptions = Pick<SendgridMailOptions, 'url' | 'timeoutMs'>;

const hosts = { global: 'https://api.sendgrid.com', eu: 'https://api.eu.sendgrid.com' } as const;

/** Connectors of the provider `sendgrid`: `credentials: { apiKey }`, `options: { region?: 'global' | 'eu' }`. */
export const sendgridConnector = (shared: SendgridConnectorOptions = {}): ConnectorProvider<'mail'> => {
  checkOptions<SendgridConnectorOptions>('sendgridConnector', shared, { url: 'optional', timeoutMs: 'optional' });
  return defineConnector({
    kind: 'mail',
    provider: 'sendgrid',
    name: 'SendGrid',
    credentials: z.strictObject({ apiKey: apiKey.describe('An API key with the permission Mail Send.') }),
    options: z.strictObject({
      region: z
        .enum(['global', 'eu'])
        .default('global')
        .describe('The region of the account: eu for a subuser in the EU.'),
    }),
    connect: ({ credentials, options: { region } }) => sendgridMail({ url: hosts[region], ...shared, ...credentials }),
    faultOf: mailFaultOf,
  });
};
