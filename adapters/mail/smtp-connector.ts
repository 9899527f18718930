// SMTP as a provider of connectors: each connector is a workspace's own account on a submission server. Composed by the embedding
// program with `connectorsPlugin`. Opens nothing before the first send.

import { z } from 'zod';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import { type ConnectorProvider, defineConnector } from '../../plugins/connectors/port/index.ts';
import { mailFaultOf } from '../kit/mail-connector.ts';
import { type SmtpMailOptions, smtpMail } from './smtp.ts';

/** The options that all connectors share. Each connector has its own host, port and login. */
export interface SmtpConnectorOptions
  extends Pick<SmtpMailOptions, 'poolSize' | 'messagesPerConnection' | 'timeouts' | 'tls' | 'name'> {
  /**
   * Servers inside your network that tenants may name: a host or an address, each optionally with a port, or a block of
   * addresses, as in `outgoing.allow`. (Default: none in addition to `outgoing.allow`; only public addresses are connected to,
   * and in development loopback)
   */
  readonly allow?: readonly string[];
}

const credentials = z.strictObject({
  user: z.string().min(1).max(320),
  pass: z.string().min(1).max(2_000),
});

const options = z.strictObject({
  host: z
    .string()
    .max(253)
    .regex(/^[\w.:-]+$/)
    .describe('The submission server, such as smtp.example.com.'),
  port: z.int().min(1).max(65_535).optional().describe('465 with secure, else 587, if it is left out.'),
  returnPaths: z
    .boolean()
    .optional()
    .describe(
      'Whether the server accepts senders of other domains, so that mail can have the signed return paths of the service.',
    ),
  secure: z.boolean().optional().describe('TLS from the first byte. If it is left out, true on port 465.'),
});

/** Connectors of the provider `smtp`: `credentials: { user, pass }`, `options: { host, port?, secure?, returnPaths? }`. */
export const smtpConnector = (allOptions: SmtpConnectorOptions = {}): ConnectorProvider<'mail'> => {
  checkOptions<SmtpConnectorOptions>('smtpConnector', allOptions, {
    poolSize: 'optional',
    messagesPerConnection: 'optional',
    timeouts: 'optional',
    tls: 'optional',
    name: 'optional',
    allow: 'optional',
  });
  const { allow = [], ...shared } = allOptions;
  return defineConnector({
    kind: 'mail',
    provider: 'smtp',
    name: 'SMTP',
    credentials,
    options,
    connect({ credentials: auth, options: { host, port, secure, returnPaths } }, { outgoing }) {
      const server = { ...(port === undefined ? {} : { port }), ...(secure === undefined ? {} : { secure }) };
      // A tenant names the host, so it is resolved and checked for each connection, which uses the checked address.
      const openSocket: SmtpMailOptions['openSocket'] = (where) => outgoing.connect({ ...where, allow });
      return smtpMail({ ...shared, host, ...server, auth, openSocket, returnPaths: returnPaths ?? false });
    },
    faultOf: mailFaultOf,
  });
};
