// The language of a page: its own, else that of the workspace's creation defaults, else the visitor's. Called by the routes that show
// pages and take in their forms.
import type { ReadContext } from '../../core/index.ts';
import { type SpokenTexts, speakTexts } from '../../core/unstable.ts';
import type { MarketingService } from '../marketing/index.ts';
import type { PageFormTexts, PageFormTextsByLanguage } from './forms/texts.ts';
import type { PageContent } from './tables.ts';

/** How the page speaks to who accepts these languages. */
export async function speechOf(
  { services, trx }: ReadContext,
  { metadata }: Pick<PageContent, 'metadata'>,
  { languages, accepted }: { readonly languages: PageFormTextsByLanguage; readonly accepted: string | undefined },
): Promise<SpokenTexts<PageFormTexts>> {
  const marketing: MarketingService | undefined = services.marketing;
  const own = metadata.language ?? (await marketing?.defaults(trx))?.language;
  return speakTexts(languages, own, accepted);
}
