// The embedded composer of pages: writes the sections that fit the purpose, without a model or a network. It copies the
// facts of the brief, and writes placeholders for missing words. The same input gives the same page.

import { shortened } from '../../../../core/unstable.ts';
import { type BriefFacts, factsOf } from '../../../kit/brief-facts.ts';
import { placeholder } from '../../../kit/placeholders.ts';
import type { PageBuildInput } from '../build-input.ts';
import type { PlannedSection } from '../build-state.ts';
import type { ComposedKind, PlanReply, SectionReply } from '../reply-schemas.ts';
import { kindOfForm } from '../standard-form.ts';
import { type PagePurpose, purposeOf } from './purpose.ts';
import { type PageWords, pageWords } from './words.ts';

/** The roles of a page's sections. */
type Part =
  | ('hero' | 'facts' | 'about' | 'benefits' | 'banner' | 'steps')
  | ('audience' | 'voices' | 'questions' | 'call' | 'form' | 'footer');

const kinds: Readonly<Record<Exclude<Part, 'form'>, ComposedKind>> = {
  hero: 'hero',
  facts: 'features',
  about: 'richtext',
  benefits: 'features',
  banner: 'banner',
  steps: 'how_it_works',
  audience: 'features',
  voices: 'testimonials',
  questions: 'faq',
  call: 'cta',
  footer: 'footer',
};

const lastParts = ['form', 'footer'] as const;
/** The parts of a page of 5, 8 and 12 sections. */
const layouts: Readonly<Record<PagePurpose, readonly [readonly Part[], readonly Part[], readonly Part[]]>> = {
  event: [
    ['hero', 'facts', 'about', ...lastParts],
    ['hero', 'facts', 'about', 'benefits', 'steps', 'questions', ...lastParts],
    ['hero', 'facts', 'about', 'benefits', 'banner', 'steps', 'audience', 'voices', 'questions', 'call', ...lastParts],
  ],
  sale: [
    ['hero', 'benefits', 'facts', ...lastParts],
    ['hero', 'benefits', 'about', 'facts', 'steps', 'questions', ...lastParts],
    ['hero', 'benefits', 'about', 'facts', 'banner', 'steps', 'audience', 'voices', 'questions', 'call', ...lastParts],
  ],
  leads: [
    ['hero', 'benefits', 'about', ...lastParts],
    ['hero', 'benefits', 'about', 'audience', 'steps', 'questions', ...lastParts],
    ['hero', 'benefits', 'about', 'audience', 'banner', 'steps', 'facts', 'voices', 'questions', 'call', ...lastParts],
  ],
  contact: [
    ['hero', 'about', 'benefits', ...lastParts],
    ['hero', 'about', 'benefits', 'facts', 'steps', 'questions', ...lastParts],
    ['hero', 'about', 'benefits', 'facts', 'banner', 'steps', 'audience', 'voices', 'questions', 'call', ...lastParts],
  ],
};

const partsFor = (purpose: PagePurpose, count: number): readonly Part[] =>
  layouts[purpose][count <= 5 ? 0 : count <= 8 ? 1 : 2];

/** The maximum length of the heading of a composed section, in characters. */
const maxHeading = 120;
const maxText = 600;

/** The input for the sections. */
interface PageMaterial extends PageWords {
  readonly title: string;
  readonly headline: string;
  readonly facts: BriefFacts;
  readonly purpose: PagePurpose;
  /** Whether the form asks people to sign up instead of asking for a message. */
  readonly isSignUp: boolean;
  readonly parts: readonly Part[];
  readonly brand: string;
  readonly label: string;
}

/** The title that the headline or the brief contains; undefined if there is none. */
const knownTitle = (headline: string | null, brief: string): string | undefined => {
  const title = headline ?? factsOf(brief).name;
  return title === undefined ? undefined : shortened(title.replace(/\s+/g, ' ').trim(), maxHeading);
};

/** The title of a page: the known title, or else the name of the brand. */
export const titleOf = (headline: string | null, brief: string, brand: string): string =>
  knownTitle(headline, brief) ?? shortened(brand, maxHeading);

function materialOf({
  brief,
  headline,
  objective,
  brand,
  ctaLabel,
  buttonUrl,
  count,
  form,
}: PageBuildInput): PageMaterial {
  const facts = factsOf(brief);
  const words = pageWords[facts.language ?? 'en'];
  const purpose = purposeOf(objective, brief);
  const { fixed } = words;
  const wanted = kindOfForm(form);
  const asksToJoin = wanted === undefined ? purpose === 'event' || purpose === 'leads' : wanted === 'lead_form';
  const ownLabel = form?.button ?? (asksToJoin ? fixed.join : fixed.ask);
  return {
    ...words,
    ...{ facts, purpose, isSignUp: asksToJoin, parts: partsFor(purpose, count) },
    title: titleOf(headline, brief, brand?.name ?? words.fixed.about),
    headline: knownTitle(headline, brief) ?? placeholder(words.missing.title),
    brand: shortened(brand?.name ?? '', maxHeading),
    label: ctaLabel ?? (buttonUrl === undefined ? ownLabel : fixed.more),
  };
}

const headingOf = (
  part: Part,
  { fixed, missing, title, headline, brand, isSignUp: asksToJoin }: PageMaterial,
): string => {
  switch (part) {
    case 'hero':
      return headline;
    case 'banner':
      return placeholder(missing.banner);
    case 'form':
      return asksToJoin ? fixed.join : fixed.ask;
    case 'footer':
      return brand === '' ? title : brand;
    default:
      return fixed[part];
  }
};

const kindOf = (part: Part, { isSignUp: asksToJoin }: PageMaterial): ComposedKind =>
  part === 'form' ? (asksToJoin ? 'lead_form' : 'contact') : kinds[part];

/** Makes the plan of the page. */
export function embeddedPlan(input: PageBuildInput): PlanReply {
  const material = materialOf(input);
  const { title, facts, parts } = material;
  return {
    ...{ title, description: '' },
    ...(facts.language === undefined ? {} : { language: facts.language }),
    sections: parts.map((part) => ({ kind: kindOf(part, material), heading: headingOf(part, material), aim: part })),
  };
}

interface Item {
  readonly title: string;
  readonly text: string;
}

/**
 * The items of one kind of facts. If there are several, their roles are unclear, so a placeholder asks for the role of
 * each.
 */
const itemsOf = (facts: readonly string[], label: string, role: string): Item[] =>
  facts.length <= 1
    ? facts.map((text) => ({ title: label, text }))
    : facts.slice(0, 3).map((title) => ({ title: shortened(title, maxHeading), text: placeholder(role) }));

/** The facts of the brief, and placeholders for those that a page of this purpose needs. */
function factItems({ facts, fixed, missing, purpose }: PageMaterial): Item[] {
  const { dates, prices, places, contacts, links, quotes } = facts;
  const placeholderIfMissing = (found: readonly string[], title: string, words: string, isNeeded: boolean): Item[] =>
    found.length > 0 || !isNeeded ? [] : [{ title, text: placeholder(words) }];
  const isEvent = purpose === 'event';
  const items = [
    ...itemsOf(dates, fixed.date, missing.dateFor),
    ...placeholderIfMissing(dates, fixed.date, missing.when, isEvent),
    ...places.slice(0, 1).map((text) => ({ title: fixed.place, text })),
    ...placeholderIfMissing(places, fixed.place, missing.where, isEvent),
    ...itemsOf(prices, fixed.price, missing.priceFor),
    ...placeholderIfMissing(prices, fixed.price, missing.cost, isEvent || purpose === 'sale'),
    ...(contacts.length === 0 ? [] : [{ title: fixed.contact, text: contacts.slice(0, 2).join(' · ') }]),
    ...links.slice(0, 1).map((link) => ({ title: fixed.link, text: `<${link}>` })),
    ...quotes
      .slice(0, 2)
      .map((quote) => ({ title: shortened(quote, maxHeading), text: placeholder(missing.quoteFor) })),
  ];
  return items.length > 0 ? items.slice(0, 8) : [{ title: fixed.contact, text: fixed.withForm }];
}

/** One line of facts, for pages without a section of facts. */
const factLine = ({ facts: { dates, places, prices }, parts }: PageMaterial): string[] => {
  const single = [dates, places, prices].flatMap((found) => (found.length === 1 ? found : []));
  return parts.includes('facts') || single.length === 0 ? [] : [single.join(' · ')];
};

const repeated = (count: number, item: Item): Item[] => Array.from({ length: count }, () => item);

/** The answer to a question: the fact if there is exactly one, or else a placeholder. */
const answerOf = (facts: readonly string[], words: string): string =>
  facts.length === 1 ? (facts[0] ?? '') : placeholder(words);

/** Makes the content of the planned section. `anchor` links to the form of the page. */
export function embeddedSection(
  setting: PageBuildInput,
  planned: Pick<PlannedSection, 'heading' | 'aim'>,
  anchor: string,
): SectionReply {
  const material = materialOf(setting);
  const { fixed, missing, facts, label, purpose } = material;
  const { heading } = planned;
  const cta = { label, href: setting.buttonUrl ?? anchor };
  switch (planned.aim as Part) {
    case 'hero':
      return { heading, text: [...factLine(material), placeholder(missing.lead)].join('\n\n'), cta };
    case 'facts':
      return { heading, items: factItems(material) };
    case 'about':
      return { heading, text: placeholder(missing.about) };
    case 'benefits':
      return {
        heading,
        items: repeated(3, { title: placeholder(missing.benefit), text: placeholder(missing.benefitText) }),
      };
    case 'banner':
    case 'call':
      return { heading, cta };
    case 'steps':
      return {
        heading,
        items: repeated(3, { title: placeholder(missing.step), text: placeholder(missing.stepText) }),
      };
    case 'audience':
      return { heading, items: repeated(2, { title: placeholder(missing.audience), text: '' }) };
    case 'voices':
      return { heading, items: [{ title: placeholder(missing.voiceName), text: placeholder(missing.voice) }] };
    case 'questions':
      return {
        heading,
        items: [
          ...(purpose === 'event'
            ? [
                { title: fixed.when, text: answerOf(facts.dates, missing.when) },
                { title: fixed.where, text: answerOf(facts.places, missing.where) },
              ]
            : []),
          { title: fixed.cost, text: answerOf(facts.prices, missing.cost) },
          { title: fixed.how, text: fixed.withForm },
        ].map(({ title, text }) => ({ title, text: shortened(text, maxText) })),
      };
    case 'form':
      return { heading, text: material.isSignUp ? fixed.joinText : fixed.askText };
    default:
      return { heading, text: facts.contacts.slice(0, 2).join(' · ') };
  }
}
