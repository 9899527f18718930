// Connectors of tenants with accounts at Postmark. Composed by the embedding program with `connectorsPlugin`.

import { z } from 'zod';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import { type ConnectorProvider, defineConnector } from '../../plugins/connectors/port/index.ts';
import { apiKey, mailFaultOf } from '../kit/mail-connector.ts';
import { type PostmarkMailOptions, postmarkMail } from './postmark-mail.ts';

/** The options that all connectors share. */
export type PostmarkConnectorOptions = Pick<PostmarkMailOptions, 'url' | 'timeoutMs'>;

/** Connectors of the provider `postmark`: `credentials: { serverToken }`, `options: { messageStream? }`. */
export const postmarkConnector = (shared: PostmarkConnectorOptions = {}): ConnectorProvider<'mail'> => {
  checkOptions<PostmarkConnectorOptions>('postmarkConnector', shared, { url: 'optional', timeoutMs: 'optional' });
  return defineConnector({
    kind: 'mail',
    provider: 'postmark',
    name: 'Postmark',
    credentials: z.strictObject({ serverToken: apiKey.describe('The Server API token.') }),
    options: z.strictObject({
      messageStream: z
        .string()
        .regex(/^[\w-]{1,100}$/)
        .optional()
        .describe('The message stream. (Default: outbound)'),
    }),
    connect({ credentials, options: { messageStream } }) {
      return postmarkMail({ ...shared, ...credentials, ...(messageStream === undefined ? {} : { messageStream }) });
    },
    faultOf: mailFaultOf,
  });
};
