// The page that builds a segment: a name, groups of conditions, and the sentence of the filter with its current number of contacts.
// Buttons add and remove conditions. Each button returns the page with the new draft, so nothing is stored before the segment is saved.
import {
  type ConsoleAction,
  type ConsoleContext,
  type ConsoleForm,
  type ConsoleView,
  coreErrors,
  isPostriderError,
} from '../../../../core/index.ts';
import { conclusion, counted, type Html, html, liveResult, panel, wordsForPeople } from '../../../../core/unstable.ts';
import { sentenceOf } from '../sentence.ts';
import { applyStep, type Draft, type DraftFault, draftIn, draftOf, emptyDraft, filterOfDraft } from './draft.ts';
import { draftFields } from './fields.ts';
import type { ProposedNames } from './kinds.ts';
import { knownFor, namesIn } from './known.ts';

/** The maximum number of contacts that the page names. */
const shownNames = 5;

/** The texts of the segment, which are not part of the draft. */
interface Titles {
  readonly name: string;
  readonly description: string;
}

/** The content of the form, and how the page shows it. */
interface BuilderState {
  readonly draft: Draft;
  readonly titles: Titles;
  readonly focus?: string | undefined;
  /** Whether incomplete conditions show their faults. (Default: false) */
  readonly showsFaults?: boolean;
}

const titlesIn = ({ name = '', description = '' }: Readonly<Record<string, string>>): Titles => ({ name, description });

const faultText = (faults: readonly DraftFault[]): string =>
  faults.length === 1
    ? `One condition is not complete and is left out. ${faults[0]?.message ?? ''}`
    : `${faults.length} conditions are not complete and are left out. ${faults[0]?.message ?? ''}`;

/** The sentence of the draft and its number of contacts. */
async function resultFor(ctx: ConsoleContext, draft: Draft, known: ProposedNames): Promise<Html> {
  const { filter, faults } = filterOfDraft(draft);
  const sentence = html`<p dir="auto">${sentenceOf(filter, namesIn(known))}</p>`;
  const faultNote = faults.length === 0 ? null : html`<p class="quiet" dir="auto">${faultText(faults)}</p>`;
  try {
    const { contactCount, sample = [], warnings } = await ctx.calls.segments.preview({ filter });
    const names = sample.slice(0, shownNames).map(({ contactId, email, external_id: id }) => email ?? id ?? contactId);
    const sampleText =
      names.length === 0 ? null : html`<p class="quiet" dir="auto">The newest: ${names.join(', ')}</p>`;
    const hints = warnings.map((warning) => html`<p class="quiet" dir="auto">${warning}</p>`);
    const number = html`<strong>${contactCount.toLocaleString('en-GB')}</strong> ${contactCount === 1 ? 'contact' : 'contacts'} now.`;
    return conclusion(contactCount === 0 ? 'wait' : 'good', number, html`${sentence}${sampleText}${hints}${faultNote}`);
  } catch (error) {
    if (!isPostriderError(error) || error.status >= 500) throw error;
    return conclusion(
      'bad',
      'The contacts cannot be counted.',
      html`${sentence}<p>${wordsForPeople(error.message)}</p>${faultNote}`,
    );
  }
}

/** The differences between the page for a new segment and the page for an existing one. */
interface Purpose {
  readonly heading: string;
  readonly verb: string;
  readonly segmentId?: string;
}

const purposeOf = ({ params }: ConsoleContext): Purpose => {
  const segmentId = params['segmentId'];
  return segmentId === undefined
    ? { heading: 'New segment', verb: 'Create the segment' }
    : { heading: 'Edit segment', verb: 'Save the segment', segmentId };
};

function saveButton({ side, mayCall }: ConsoleContext, { verb, segmentId }: Purpose): Html | null {
  if (mayCall(segmentId === undefined ? 'segments.create' : 'segments.update'))
    return html`<p><button class="button primary" name="action" value="save" type="submit">${verb}</button></p>`;
  return side === 'live'
    ? null
    : html`<p class="quiet">Live and sandbox share the segments. Change to live to save.</p>`;
}

async function builderView(ctx: ConsoleContext, building: BuilderState): Promise<ConsoleView> {
  const { draft, titles, focus, showsFaults = false } = building;
  const purpose = purposeOf(ctx);
  const known = await knownFor(ctx, purpose.segmentId);
  const { faults } = filterOfDraft(draft);
  const answer = await resultFor(ctx, draft, known);
  // The Enter key presses the first button of a form, so the first button only counts.
  const count = html`<p><button class="button" name="step" value="count" type="submit">Count again</button></p>`;
  const texts = html`<label class="field"><span>Name</span><input name="name" value="${titles.name}" maxlength="200" autocomplete="off" dir="auto"></label><label class="field"><span>Description, for your team</span><input name="description" value="${titles.description}" maxlength="2000" autocomplete="off" dir="auto"></label>`;
  // The address has no fragment. With the fragment of the link that skips the navigation, browsers would not focus the new condition.
  const path = purpose.segmentId === undefined ? 'segments/new' : `segments/${purpose.segmentId}/edit`;
  const hidden = { action: 'change', key: ctx.newIdempotencyKey() };
  const fields = draftFields(draft, { known, focus, faults: showsFaults ? faults : [] });
  return {
    heading: purpose.heading,
    body: html`<form class="builder" method="post" action="${ctx.link(path)}">${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${liveResult(answer)}${count}${fields}${panel('Segment', html`<div class="builder">${texts}</div>`)}${saveButton(ctx, purpose)}</form>`,
  };
}

/** The page. After a refusal, it shows the form as the person sent it. */
export async function builderPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const refused = ctx.refusedForm?.fields;
  if (refused !== undefined)
    return builderView(ctx, { draft: draftIn(refused), titles: titlesIn(refused), showsFaults: true });
  const { segmentId } = purposeOf(ctx);
  if (segmentId === undefined) return builderView(ctx, { draft: emptyDraft, titles: titlesIn({}) });
  const { name, description, filter } = await ctx.calls.segments.read({ segmentId });
  return builderView(ctx, { draft: draftOf(filter), titles: { name, description } });
}

/** The filter of the form. @throws validation_failed if a condition is incomplete */
function completeFilter({ fields }: ConsoleForm) {
  const { filter, faults } = filterOfDraft(draftIn(fields));
  const [first] = faults;
  if (first === undefined) return filter;
  const conditions = counted(faults.length, 'condition');
  const summary = `${conditions} ${faults.length === 1 ? 'is' : 'are'} not complete. ${first.message}`;
  throw coreErrors.validation_failed({ summary });
}

export const builderActions: Readonly<Record<string, ConsoleAction>> = {
  change: {
    reveal(ctx, { fields }) {
      const step = fields['step'] ?? 'count';
      const { draft, focus } = applyStep(draftIn(fields), step, fields);
      return builderView(ctx, { draft, titles: titlesIn(fields), focus, showsFaults: step === 'count' });
    },
  },
  save: {
    async leadTo(ctx, form) {
      const { idempotencyKey } = form;
      const filter = completeFilter(form);
      const content = { ...titlesIn(form.fields), filter };
      const { segmentId } = purposeOf(ctx);
      const saved =
        segmentId === undefined
          ? await ctx.calls.segments.create(content, { idempotencyKey })
          : await ctx.calls.segments.update({ segmentId, ...content }, { idempotencyKey });
      return `segments/${saved.segmentId}`;
    },
  },
};
