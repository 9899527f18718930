// How callers name a contact, wherever they do: events, enrolments, the contact itself. Which contact that is, the contacts
// plugin decides (`ctx.services.contacts.resolve`).
import { z } from 'zod';
import { parseAddress } from './addresses.ts';

/** The caller's own id of a person. */
const externalId = z
  .string()
  .min(1)
  .max(200)
  .refine(
    (text) => !/\p{Cc}/u.test(text) && text.trim() === text,
    'An external_id has no control characters and no spaces around it.',
  )
  .describe('Your own stable id of the person, 1 to 200 characters, compared byte by byte. Preferred.');

/** An address, with the spaces around it that forms leave. */
const contactEmail = z
  .string()
  .trim()
  .max(254)
  .refine((text) => parseAddress(text) !== undefined, 'This is not an email address: give one like name@example.com.')
  .meta({ format: 'email' })
  .describe('Known by its normalised form; mail goes to the address as it was said.');

/** The three names of a contact. All that are given mean one: external_id before email before id. */
export const contactReference = {
  external_id: externalId.optional(),
  email: contactEmail.optional(),
  id: z.string().min(1).max(100).optional().describe('The id of a contact that exists, prefix con_.'),
};
