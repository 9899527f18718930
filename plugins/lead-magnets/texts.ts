// Checks that the texts of chapters can be laid out. Called before they are stored, outside any transaction.
import { checkTexts } from '../../core/unstable.ts';
import type { Chapter } from './schema.ts';

/** @throws validation_failed */
export const checkChapters = (chapters: readonly Chapter[] | undefined): Promise<void> =>
  checkTexts(new Map((chapters ?? []).map(({ text }, index) => [`chapters.${index}.text`, { source: text }])));
