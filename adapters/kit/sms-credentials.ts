// The schemas of SMS connectors: an account's secrets, and its sender.
import { z } from 'zod';

/** Credentials of these fields, each checked by its pattern. */
const credentials = <const Field extends string>(fields: Readonly<Record<Field, RegExp>>) =>
  z.strictObject(
    Object.fromEntries(
      Object.entries<RegExp>(fields).map(([field, pattern]) => [
        field,
        z.string().regex(pattern, 'The value does not have the form that the provider uses.'),
      ]),
    ) as Record<Field, z.ZodString>,
  );

const options = z.strictObject({
  sender: z
    .string()
    .min(1)
    .max(100)
    .describe('The sender of the messages: an E.164 number, a name, or the id of a service of the provider.'),
});

export const smsCredentials = { credentials, options };
