// The words in which the console shows the states and languages of a template.
import { type Html, pill } from '../../../core/unstable.ts';

interface State {
  readonly status: 'draft' | 'published' | 'archived';
  readonly version: number;
}

export function templatePill({ status, version }: State): Html {
  if (status === 'archived') return pill('Archived');
  return status === 'published' || version > 0 ? pill('Published', 'good') : pill('Draft', 'wait');
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

/** A language with its BCP 47 tag: `Arabic (ar)`. */
export function languageWords(tag: string): string {
  const name = languageNames.of(tag);
  return name === undefined || name === tag ? tag : `${name} (${tag})`;
}
