import { defineMigration } from '../../../core/index.ts';

// The indexes omit the side, because the inbox shows both sides together and a send has one message.
export const migration0001 = defineMigration({
  id: '0001-inbox',
  changes: [
    {
      create: 'inbox_messages',
      columns: {
        workspace_id: 'id',
        sandbox: 'flag',
        send_id: 'id',
        origin: 'id',
        template_key: 'key',
        to_address: 'text',
        to_normalised: 'address',
        from_email: 'text',
        from_name: 'text',
        subject: 'text',
        subject_folded: 'text',
        search_text: 'text',
        size: 'integer',
        attachments: 'integer',
        seen_at: 'time?',
        created_at: 'time',
      },
      primaryKey: ['workspace_id', 'send_id'],
    },
    { index: 'inbox_messages_list', on: 'inbox_messages', columns: ['workspace_id', 'created_at', 'send_id'] },
    { index: 'inbox_messages_seen', on: 'inbox_messages', columns: ['workspace_id', 'seen_at'] },
    { index: 'inbox_messages_age', on: 'inbox_messages', columns: ['created_at'] },
    {
      create: 'inbox_parts',
      columns: {
        workspace_id: 'id',
        sandbox: 'flag',
        send_id: 'id',
        position: 'integer',
        sealed: 'bytes',
        created_at: 'time',
      },
      primaryKey: ['workspace_id', 'send_id', 'position'],
    },
    { index: 'inbox_parts_age', on: 'inbox_parts', columns: ['created_at'] },
    {
      create: 'inbox_texts',
      columns: {
        workspace_id: 'id',
        sandbox: 'flag',
        sms_id: 'id',
        origin: 'id',
        template_key: 'key',
        to_number: 'address',
        segments: 'integer',
        sealed: 'bytes',
        created_at: 'time',
      },
      primaryKey: ['workspace_id', 'sms_id'],
    },
    { index: 'inbox_texts_list', on: 'inbox_texts', columns: ['workspace_id', 'created_at', 'sms_id'] },
    { index: 'inbox_texts_age', on: 'inbox_texts', columns: ['created_at'] },
  ],
});
