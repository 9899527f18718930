// Connectors of tenants with accounts at Mailgun. Composed by the embedding program with `connectorsPlugin`.

import { z } from 'zod';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import { type ConnectorProvider, defineConnector } from '../../plugins/connectors/port/index.ts';
import { apiKey, mailFaultOf } from '../kit/mail-connector.ts';
import { type MailgunMailOptions, mailgunMail } from './mailgun-mail.ts';

/** The options that all connectors share. */
export type MailgunConnectorOptions = Pick<MailgunMailOptions, 'url' | 'timeoutMs'>;

const hosts = { us: 'https://api.mailgun.net', eu: 'https://api.eu.mailgun.net' } as const;

/** Connectors of the provider `mailgun`: `credentials: { apiKey }`, `options: { domain, region?: 'us' | 'eu' }`. */
export const mailgunConnector = (shared: MailgunConnectorOptions = {}): ConnectorProvider<'mail'> => {
  checkOptions<MailgunConnectorOptions>('mailgunConnector', shared, { url: 'optional', timeoutMs: 'optional' });
  return defineConnector({
    kind: 'mail',
    provider: 'mailgun',
    name: 'Mailgun',
    credentials: z.strictObject({ apiKey: apiKey.describe('A sending key of the domain suffices.') }),
    options: z.strictObject({
      domain: z
        .string()
        .regex(/^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/i)
        .describe('The sending domain, such as mg.example.com.'),
      region: z.enum(['us', 'eu']).default('us'),
    }),
    connect: ({ credentials, options: { domain, region } }) =>
      mailgunMail({ url: hosts[region], ...shared, ...credentials, domain }),
    faultOf: mailFaultOf,
  });
};
