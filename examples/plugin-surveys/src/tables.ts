import type { TableDeclaration } from 'postrider';
import { defineMigration } from 'postrider';

export const statuses = ['open', 'answered', 'expired'] as const;
export type SurveyStatus = (typeof statuses)[number];

export interface SurveyRow {
  id: string;
  workspace_id: string;
  status: SurveyStatus;
  email: string;
  question: string;
  score: number | null;
  comment: string | null;
  expires_at: number | null;
  answered_at: number | null;
  created_at: number;
}

declare module 'postrider/open' {
  interface Tables {
    surveys: SurveyRow;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = { surveys: { tenant: true } };

export const migration0001 = defineMigration({
  id: '0001-surveys',
  changes: [
    {
      create: 'surveys',
      columns: {
        id: 'id',
        workspace_id: 'id',
        status: 'key',
        email: 'address',
        question: 'text',
        score: 'integer?',
        comment: 'text?',
        expires_at: 'time?',
        answered_at: 'time?',
        created_at: 'time',
      },
      primaryKey: ['id'],
    },
    { index: 'surveys_list', on: 'surveys', columns: ['workspace_id', 'created_at', 'id'] },
    { index: 'surveys_status', on: 'surveys', columns: ['workspace_id', 'status', 'created_at', 'id'] },
  ],
});
