// The words of the console for lead magnets. Pure.
import { type Html, type PillTone, pill } from '../../../core/unstable.ts';
import { formats, type LeadMagnetFormat, type LeadMagnetStatus, statuses } from '../schema.ts';

const words: Readonly<Record<LeadMagnetStatus, readonly [words: string, tone: PillTone]>> = {
  draft: ['Draft', 'wait'],
  queued: ['Waiting', 'info'],
  building: ['Building', 'info'],
  ready: ['Ready', 'good'],
  failed: ['Failed', 'bad'],
};

export const statusPill = ({ status }: { readonly status: LeadMagnetStatus }): Html => pill(...words[status]);

export const statusChoices = statuses.map((status) => [status, words[status][0]] as const);

export const formatWords: Readonly<Record<LeadMagnetFormat, string>> = {
  ebook: 'E-book',
  guide: 'Guide',
  checklist: 'Checklist',
};

export const formatChoices = formats.map((format) => [format, formatWords[format]] as const);
