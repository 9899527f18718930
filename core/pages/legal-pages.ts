// The links to the imprint and the privacy policy of the sender, at the end of public pages. Called by the frame of public pages
// and by plugins that write whole documents.
import { fallbackTags } from '../contract/values/fallback-tags.ts';
import { escapeHtml } from './html.ts';
import type { PageLanguage } from './page-texts.ts';

/** The addresses of the sender's imprint and privacy policy; null for a missing address. */
export interface LegalUrls {
  readonly imprintUrl: string | null;
  readonly privacyUrl: string | null;
}

interface Labels {
  readonly imprint: string;
  readonly privacy: string;
}

const english: Labels = { imprint: 'Imprint', privacy: 'Privacy' };

/** The usual names of both pages, in the languages of all pages and in some more. */
const labels = {
  en: english,
  de: { imprint: 'Impressum', privacy: 'Datenschutz' },
  fr: { imprint: 'Mentions légales', privacy: 'Confidentialité' },
  es: { imprint: 'Aviso legal', privacy: 'Privacidad' },
  it: { imprint: 'Note legali', privacy: 'Privacy' },
  nl: { imprint: 'Colofon', privacy: 'Privacy' },
  pt: { imprint: 'Aviso legal', privacy: 'Privacidade' },
  pl: { imprint: 'Nota prawna', privacy: 'Prywatność' },
  sv: { imprint: 'Om oss', privacy: 'Integritet' },
  ar: { imprint: 'بيانات الناشر', privacy: 'الخصوصية' },
  he: { imprint: 'פרטי המפרסם', privacy: 'פרטיות' },
  ja: { imprint: '運営者情報', privacy: 'プライバシー' },
} satisfies Readonly<Record<PageLanguage | 'sv' | 'he', Labels>>;

const labelsByTag: ReadonlyMap<string, Labels> = new Map(Object.entries(labels));

function labelsIn(language: string): Labels {
  for (const tag of fallbackTags(language)) {
    const labelsOfTag = labelsByTag.get(tag.toLowerCase());
    if (labelsOfTag !== undefined) return labelsOfTag;
  }
  return english;
}

/** The links as HTML, each with a space before it. Empty if there are no addresses. @param language a BCP 47 tag */
export function legalAnchors({ imprintUrl, privacyUrl }: LegalUrls, language: string): string {
  const { imprint, privacy } = labelsIn(language);
  const link = (url: string | null, label: string): string =>
    url === null ? '' : ` <a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`;
  return link(imprintUrl, imprint) + link(privacyUrl, privacy);
}
