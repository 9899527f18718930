// Lets the composer plan a page and write its sections, one call each, and checks the answers. Called by the job,
// outside any transaction.

import { canonicalLocale, type ServiceContext } from '../../../core/index.ts';
import { plainMarkdownFaults } from '../../kit/plain-markdown.ts';
import type { WritingContext } from '../../templates/index.ts';
import { textLinks } from '../sections/links.ts';
import { sectionFaults } from '../sections/rules.ts';
import { type Section, sectionFields } from '../sections/schema.ts';
import type { PageBuildInput } from './build-input.ts';
import type { PlannedSection } from './build-state.ts';
import { embeddedPlan, embeddedSection } from './embedded/compose.ts';
import { pagePrompt, planInstructions, sectionInstructions, sectionPrompt } from './instructions.ts';
import {
  type ComposedKind,
  composedKinds,
  type PlanReply,
  planReplySchema,
  type SectionReply,
  sectionReplySchema,
} from './reply-schemas.ts';
import { formOfPage, kindOfForm } from './standard-form.ts';

type PageComposeContext = WritingContext & ServiceContext;

const isFormKind = (kind: string): kind is 'contact' | 'lead_form' => kind === 'contact' || kind === 'lead_form';

function planFaults({ sections, language }: PlanReply, { count, form }: PageBuildInput): string[] {
  const found = sections.filter(({ kind }) => isFormKind(kind));
  const [forms, wanted] = [found.length, kindOfForm(form)];
  return [
    ...(wanted === undefined || found.every(({ kind }) => kind === wanted)
      ? []
      : [`sections: the form belongs in a ${wanted}.`]),
    ...(sections.length === count ? [] : [`sections: there are ${sections.length}, and ${count} are needed.`]),
    ...(sections[0]?.kind === 'hero' ? [] : ['sections.0.kind: the first section is a hero.']),
    ...(sections.at(-1)?.kind === 'footer' ? [] : ['sections: the last section is a footer.']),
    ...(forms === 1 ? [] : [`sections: exactly one is a contact or a lead_form, and there are ${forms}.`]),
    ...(language === undefined || canonicalLocale(language) !== undefined
      ? []
      : ['language: give a BCP 47 tag such as de or pt-BR.']),
  ];
}

/** Composes the plan of the page. @throws compose_failed, provider_timeout */
export const composePlan = (context: PageComposeContext, input: PageBuildInput): Promise<PlanReply> =>
  context.services.writer.write(context, {
    ...{ kind: 'page', what: 'the plan of the page', form: planReplySchema },
    ...{ instructions: planInstructions(input), brief: pagePrompt(input) },
    faultsOf: (answer) => planFaults(answer, input),
    embedded: () => embeddedPlan(input),
  });

const isComposed = (kind: string): kind is ComposedKind => (composedKinds as readonly string[]).includes(kind);

/** Converts the answer to a section: without empty texts, and with the form that its kind has. */
function sectionOf(planned: PlannedSection, reply: SectionReply, setting: PageBuildInput): Section {
  const { id, kind } = planned;
  const withoutEmpty = <T extends object>(fields: T) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''));
  const { items, ...rest } = reply;
  return {
    ...{ id, kind },
    ...withoutEmpty(rest),
    ...(items === undefined ? {} : { items: items.map(withoutEmpty) }),
    ...(isFormKind(kind) ? { form: formOfPage(kind, setting) } : {}),
  } as Section;
}

/** The faults of links in the section's Markdown that lead to parts which the page does not have. */
const textFaults = (section: Section, plan: readonly PlannedSection[]): string[] =>
  textLinks(section)
    .filter(({ href }) => !plan.some(({ id }) => href === `#${id}`))
    .map(({ path, href }) => `${path}: the page has no part ${href}.`);

/** The faults of the link of its button. */
function buttonFaults({ cta }: Section, plan: readonly PlannedSection[], buttonUrl: string | undefined): string[] {
  if (cta === undefined) return [];
  if (!sectionFields.cta.safeParse(cta).success) return ['cta.href: give an https address, or #id of a section.'];
  if (!cta.href.startsWith('#') && buttonUrl !== undefined && cta.href !== buttonUrl)
    return [`cta.href: a button leads to ${buttonUrl}, or to #id of a section.`];
  const isKnown = !cta.href.startsWith('#') || plan.some(({ id }) => cta.href === `#${id}`);
  return isKnown ? [] : [`cta.href: the page has no part ${cta.href}.`];
}

/** The faults of the section's Markdown. Without a model, the texts quote the brief as it is. */
const markdownFaults = ({ text = '', items = [] }: SectionReply): string[] => [
  ...plainMarkdownFaults('text', text),
  ...items.flatMap((item, at) => plainMarkdownFaults(`items.${at}.text`, item.text ?? '')),
];

/** Composes one section of the plan. @throws compose_failed, provider_timeout */
export async function composeSection(
  context: PageComposeContext,
  setting: PageBuildInput,
  plan: readonly PlannedSection[],
  index: number,
): Promise<Section> {
  const planned = plan[index];
  if (planned === undefined || !isComposed(planned.kind)) throw new Error(`The plan has no section ${index} to write.`);
  const target = plan.find(({ kind }) => isFormKind(kind)) ?? planned;
  const anchor = `#${target.id}`;
  const withoutModel = await context.services.writer.withoutModel(context);
  const answer = await context.services.writer.write(context, {
    ...{ kind: 'page_section', what: `the section ${planned.heading}`, form: sectionReplySchema(planned.kind) },
    instructions: sectionInstructions(setting, planned, anchor),
    brief: sectionPrompt(setting, plan, index),
    faultsOf(given) {
      const section = sectionOf(planned, given, setting);
      return [
        ...sectionFaults(section, 'answer').map(({ path, message }) => `${path}: ${message}`),
        ...buttonFaults(section, plan, setting.buttonUrl),
        ...textFaults(section, plan),
        ...(withoutModel ? [] : markdownFaults(given)),
      ];
    },
    embedded: () => embeddedSection(setting, planned, anchor),
  });
  return sectionOf(planned, answer, setting);
}
