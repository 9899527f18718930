// Chooses the language of a page: its own, else the language of the workspace's creation defaults, else the visitor's.
// Called by the routes that show pages and receive their forms.
import type { ReadContext } from '../../core/index.ts';
import { type LocalizedTexts, localizeTexts } from '../../core/unstable.ts';
import type { MarketingService } from '../marketing/index.ts';
import type { PageFormTexts, PageFormTextsByLanguage } from './forms/texts.ts';
import type { PageContent } from './tables.ts';

/** Chooses the texts of the page for a visitor who accepts these languages. */
export async function textsForVisitor(
  { services, trx }: ReadContext,
  { metadata }: Pick<PageContent, 'metadata'>,
  { languages, accepted }: { readonly languages: PageFormTextsByLanguage; readonly accepted: string | undefined },
): Promise<LocalizedTexts<PageFormTexts>> {
  const marketing: MarketingService | undefined = services.marketing;
  const ownLanguage = metadata.language ?? (await marketing?.defaults(trx))?.language;
  return localizeTexts(languages, ownLanguage, accepted);
}
