// Lists and their members as callers write and see them.
import { isoTime, personal, z } from '../../core/index.ts';

/** The maximum number of lists in a workspace. */
export const maxLists = 1_000;
/** The maximum number of contacts that one call adds or removes. */
export const maxContactIds = 10_000;

export const optin = z
  .enum(['single', 'double'])
  .describe('double asks each new member by mail; it cannot change once the list has members.');
export const visibility = z
  .enum(['private', 'public'])
  .describe('A public list has a subscribe form, and recipients find it among their preferences.');

export const memberStatus = z.enum(['confirmed', 'unconfirmed']);
export const memberSource = z.enum(['api', 'form', 'sequence', 'import']);

export const memberResource = z
  .object({
    contactId: z.string(),
    email: z.string().nullable().describe('The normalised address.'),
    external_id: personal('identifier', z.string().nullable()),
    status: memberStatus,
    source: memberSource.describe('What added the member.'),
    addedAt: isoTime,
    confirmedAt: isoTime.nullable(),
  })
  .meta({ id: 'ListMember' });

export const trappedForm = z
  .object({
    id: z.string().describe('Prefix ltf_.'),
    email: z.string().nullable().describe('The normalised address; null if none was typed.'),
    fields: z.record(z.string(), z.string()).describe('What was typed, by name.'),
    at: isoTime,
  })
  .meta({ id: 'TrappedForm' });

export const contactIds = z
  .array(
    z
      .string()
      .regex(
        /^con_[0-9A-HJKMNP-TV-Z]{26}$/,
        'Give the id of a contact, con_…: GET /v1/contacts finds it by its email.',
      ),
  )
  .min(1)
  .max(maxContactIds)
  .describe('Ids of contacts. An id that occurs twice counts once.');

export const consentNote = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .describe('How and when the people agreed, kept with the membership.');
