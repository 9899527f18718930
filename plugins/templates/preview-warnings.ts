// Warnings about a valid mail: problems that recipients would notice. Pure.
import type { z } from '../../core/index.ts';
import type { templatePreview } from './schema.ts';

type Warning = z.output<typeof templatePreview>['warnings'][number];

/** Gmail shows no more of a message than 102 kB of HTML and hides the rest behind a link. */
export const clippedAbove = 102_000;

export function warningsOf(mail: { readonly html: string; readonly text: string; readonly subject: string }) {
  const warnings: Warning[] = [];
  const bytes = Buffer.byteLength(mail.html);
  if (bytes > clippedAbove) {
    const message = `The HTML has ${Math.ceil(bytes / 1_000)} kB: Gmail cuts messages off at ${clippedAbove / 1_000} kB.`;
    warnings.push({ code: 'html_clipped', message });
  }
  if (mail.subject.trim() === '') warnings.push({ code: 'subject_empty', message: 'The subject is empty.' });
  if (mail.text.trim() === '')
    warnings.push({ code: 'text_empty', message: 'The text part is empty: readers of plain text see nothing.' });
  return warnings;
}
