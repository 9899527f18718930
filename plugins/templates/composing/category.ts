// Derives the category and the shell of a composed mail from its brief. Called by templates.compose.
import { coreErrors } from '../../../core/index.ts';
import type { Starter } from '../starters/starter.ts';
import type { TemplateRow } from '../tables.ts';
import { announcement } from './announcement.ts';

type Category = TemplateRow['category'];

/** Words of briefs for newsletters, offers and launches. */
const marketingWords =
  /newsletter|(?<!\p{L})(?:special offers?|offers?|launch(?:es|ing)?|promotions?|promo|sale|campaign)(?!\p{L})|(?<!\p{L})(?:\p{L}*angebote?s?|rundbrief|markteinführung|produktstart|werbeaktion|kampagne)(?!\p{L})|infolettre|(?<!\p{L})(?:offres?|lancement|promotion|soldes)(?!\p{L})|bolet[ií]n|(?<!\p{L})(?:ofertas?|lanzamiento|promoción|rebajas)(?!\p{L})|メルマガ|ニュースレター|キャンペーン|セール|特典|新発売|発売|نشرة|عرض خاص|عروض|إطلاق|حملة/iu;

/** The caller's choices, and the shell that fits the brief. */
export interface CategoryChoice {
  readonly prompt: string;
  readonly category: Category | undefined;
  /** Whether the caller, and not the brief, has determined the shell. */
  readonly isShellGiven: boolean;
  readonly shell: Starter;
}

/**
 * Chooses the category of the mail, and its shell. A mail without a clear category is not composed, because a marketing mail
 * must not lack its unsubscribe link by mistake. @throws validation_failed
 */
export function chooseCategory({ prompt, category, isShellGiven, shell }: CategoryChoice) {
  if (category !== undefined) return { category, shell };
  const isMarketing = marketingWords.test(prompt);
  const isGeneral = shell.key === announcement.key;
  if (isGeneral && isMarketing) return { category: 'marketing' as const, shell };
  if (!isGeneral && (isShellGiven || !isMarketing)) return { category: shell.category, shell };
  const message = isGeneral
    ? 'The brief does not say what the mail is. Give marketing for news and offers, transactional for mails about an order or an account, or system for access to an account.'
    : `The brief can be a newsletter, an offer or a launch, or the mail ${shell.key}. Give the category, or starterShellId.`;
  throw coreErrors.validation_failed(
    { summary: `category: ${message}` },
    { details: [{ path: 'category', code: 'required', message }] },
  );
}
