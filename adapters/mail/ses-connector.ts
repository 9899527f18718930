// Connectors of tenants with accounts at Amazon SES. Composed by the embedding program with `connectorsPlugin`.

import { z } from 'zod';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import { type ConnectorProvider, defineConnector } from '../../plugins/connectors/port/index.ts';
import { apiKey, mailFaultOf } from '../kit/mail-connector.ts';
import { type SesMailOptions, sesMail } from './ses-mail.ts';

/** The options that all connectors share. */
export type SesConnectorOptions = Pick<SesMailOptions, 'url' | 'timeoutMs' | 'now'>;

/**
 * Connectors of the provider `ses`: `credentials: { accessKeyId, secretAccessKey, sessionToken? }`, `options: { region,
 * configurationSet? }`.
 */
export const sesConnector = (shared: SesConnectorOptions = {}): ConnectorProvider<'mail'> => {
  checkOptions<SesConnectorOptions>('sesConnector', shared, {
    url: 'optional',
    timeoutMs: 'optional',
    now: 'optional',
  });
  return defineConnector({
    kind: 'mail',
    provider: 'ses',
    name: 'Amazon SES',
    credentials: z.strictObject({
      accessKeyId: apiKey,
      secretAccessKey: apiKey.describe('The secret of an access key with the permission ses:SendRawEmail.'),
      sessionToken: apiKey.optional(),
    }),
    options: z.strictObject({
      region: z
        .string()
        .regex(/^[a-z]{2}(?:-[a-z]+)+-\d$/)
        .describe('A region of AWS, such as eu-west-1.'),
      configurationSet: z
        .string()
        .regex(/^[\w-]{1,64}$/)
        .optional(),
    }),
    connect({ credentials: { sessionToken, ...key }, options: { region, configurationSet } }) {
      return sesMail({
        ...shared,
        region,
        credentials: { ...key, ...(sessionToken === undefined ? {} : { sessionToken }) },
        ...(configurationSet === undefined ? {} : { configurationSet }),
      });
    },
    faultOf: mailFaultOf,
  });
};
