// The ideal customer profiles: the people that the marketing of a workspace addresses. Both sides of the workspace share them.
import { defineResource, field, type RowOf, z } from '../../core/index.ts';
import { errors } from './errors.ts';
import { name, words } from './schema.ts';

const wordList = (schema = words) => field.json(schema).default([]).personal('mentions');

export const icps = defineResource('marketing_icps', {
  title: 'Icp',
  name: 'marketing.icp',
  scopes: { read: 'marketing:read', write: 'marketing:write' },
  notFoundError: errors.icp_not_found,
  example: {
    operation: 'marketing.icp_create',
    body: (kit) => ({ name: kit.unique('Small agencies'), roles: ['Owner'] }),
  },
  // Profiles are not about a single person, but their texts may mention an address.
  personal: { searched: true },
  fields: {
    icpId: field.ownId('icp'),
    name: field.key(name).personal('mentions'),
    description: field.text(z.string().max(2_000)).default('').personal('text'),
    industries: wordList(),
    companySizes: wordList(),
    roles: wordList(),
    pains: wordList(),
    goals: wordList(),
    triggers: wordList(words.describe('What makes them look for something new.')),
    objections: wordList(),
    channels: wordList(words.describe('Where they are reached.')),
    isPrimary: field
      .flag(z.boolean().describe('True makes it the primary profile. The first profile is always primary.'))
      .default(false)
      .shown(z.boolean().describe('Exactly one profile of the workspace is primary.')),
    createdAt: field.createdAt(),
    updatedAt: field.updatedAt(),
  },
});
export interface IcpRow extends RowOf<typeof icps.table> {}
