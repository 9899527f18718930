// The API schemas of contacts and their timelines.
import { isoTime, personal, timelineItem, z } from '../../core/index.ts';

/** Attributes are flat, so that a file column corresponds to one attribute and a condition can name an attribute. */
const attributeValue = z.union([
  z.string().max(2_000),
  z.number(),
  z.boolean(),
  z.array(z.union([z.string().max(2_000), z.number(), z.boolean()])).max(100),
]);

/** An attribute's name. */
export const attributeName = z
  .string()
  .min(1)
  .max(64)
  .refine((text) => !/\p{Cc}/u.test(text), 'Names of attributes have no control characters.');

/** New values of attributes: null removes an attribute. */
export const attributeChanges = z
  .record(attributeName, attributeValue.nullable())
  .describe(
    'Merged with the existing attributes; null removes one. Values are strings up to 2,000 characters, numbers, booleans, or lists of these; at most 200 attributes and 16 KB as JSON in total.',
  );

export const contactResourceObject = z
  .object({
    id: z.string().describe('Prefix con_.'),
    external_id: personal('identifier', z.string().nullable()).describe('Your own id of the person.'),
    email: z.string().nullable().describe('The normalised address.'),
    attributes: personal('text', z.record(z.string(), attributeValue)),
    subscribed: z
      .boolean()
      .describe(
        'False while marketing mail to the address is suppressed, for whatever reason. Other mail may still go there.',
      ),
    created_at: isoTime,
    updated_at: isoTime,
  })
  .meta({ id: 'Contact' });

export interface Contact extends z.output<typeof contactResourceObject> {}
export const contactResource: z.ZodType<Contact> = contactResourceObject;

export const contactDetail = contactResourceObject
  .extend({
    timeline: z
      .array(timelineItem)
      .describe(
        'The newest 50: custom events, sends to the address that the contact has now, and what else the composed plugins know.',
      ),
  })
  .meta({ id: 'ContactDetail' });
