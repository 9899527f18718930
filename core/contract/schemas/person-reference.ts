// The input fields with which callers name a person. The plugin that stores people resolves them.

import { isAddress } from '../values/addresses.ts';
import * as z from './zod.ts';

/** The caller's own id of a person. */
const externalId = z
  .string()
  .min(1)
  .max(200)
  .refine(
    (text) => !/\p{Cc}/u.test(text) && text.trim() === text,
    'An external_id must not have control characters, or spaces around it.',
  )
  .describe('Your own stable id of the person, 1 to 200 characters, compared byte by byte. Preferred.');

/** An address. Surrounding spaces, which forms often leave, are removed. */
const personEmail = z
  .string()
  .trim()
  .max(254)
  .refine(...isAddress)
  .meta({ format: 'email' })
  .describe('Compared in its normalised form; mail is sent to the address as it was given.');

/** The three ways to name a person. If several are given, external_id is used first, then email, then id. */
export const personReference = {
  external_id: externalId.optional(),
  email: personEmail.optional(),
  id: z.string().min(1).max(100).optional().describe("The id of the person's record, prefix con_."),
};
