import { defineList } from '../../../core/index.ts';
import { listRows } from '../contact-lists.ts';
import { errors } from '../errors.ts';
import { presentTrapped } from '../present.ts';
import { trappedForm } from '../schema.ts';
import { trappedFormRows } from '../tables.ts';
import { someList } from './fixture-rows.ts';

export const listTrappedForms = defineList({
  id: 'lists.trapped',
  summary: 'List subscribe forms that the trap dropped',
  description:
    'Newest first: form submissions that filled the hidden honeypot field, as programs do. Look here for a person who signed up and cannot be found. Kept for 7 days; they got no confirmation mail.',
  http: 'GET /v1/lists/{listId}/trapped',
  scopes: ['lists:read'],
  rows: trappedFormRows,
  within: { rows: listRows, notFoundError: errors.list_not_found, column: 'list_id', exampleRow: someList },
  item: trappedForm,
  present: presentTrapped,
  exampleRow: (kit, workspaceId, params) =>
    kit.write(async ({ trx, newId, now }) => {
      const fields = { email: 'ada@example.com', name: 'Ada' };
      const row = {
        id: newId('ltf'),
        list_id: String(params?.['listId']),
        email: fields.email,
        fields,
        created_at: now,
      };
      return (await trappedFormRows.insert(trx, row)).id;
    }, workspaceId),
});
