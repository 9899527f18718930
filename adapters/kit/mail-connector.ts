// The common part of the connectors of mail providers. Called by the files of their providers.
import { z } from 'zod';
import { isMailError } from '../../plugins/email/port/index.ts';

/** A key or a token of a provider: printable ASCII without spaces, so that it cannot break a header. */
export const apiKey = z
  .string()
  .max(4_000)
  .regex(/^[!-~]+$/, 'A key is printable ASCII without spaces.');

/** Whether an error of a mail adapter means that the provider refuses the key or the login itself. */
export const mailFaultOf = (error: unknown): 'revoked' | undefined =>
  isMailError(error) && error.credentialsRefused ? 'revoked' : undefined;
