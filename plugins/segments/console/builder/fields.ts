// The form of a draft as HTML: its groups, their conditions, and the buttons that add and remove them. Every button works without a
// script.
import { type Html, html } from '../../../../core/unstable.ts';
import { sentenceOf } from '../sentence.ts';
import {
  conditionName,
  type Draft,
  type DraftCondition,
  type DraftFault,
  type DraftGroup,
  fieldName,
  groupName,
  type Join,
  keptFilter,
  kinds,
} from './draft.ts';
import { ConditionFault, type ConditionField, type ProposedNames, type Values } from './kinds.ts';
import { namesIn } from './known.ts';

/** The data that the page needs in addition to the draft. */
export interface FormView {
  readonly known: ProposedNames;
  /** The faults of incomplete conditions. */
  readonly faults: readonly DraftFault[];
  /** The name of the group, condition or field that gets the keyboard focus. */
  readonly focus?: string | undefined;
}

const focusIf = (isFocus: boolean): Html | null => (isFocus ? html` autofocus` : null);

function option(value: string, words: string, current: string): Html {
  return html`<option value="${value}"${value === current ? html` selected` : null}>${words}</option>`;
}

/** One field. `prefix`: the beginning of its name in the form. */
function fieldOf(field: ConditionField, prefix: string, values: Values, isFocus: boolean): Html {
  const { name, label, choices, proposals, isLong = false } = field;
  const own = fieldName(prefix, name);
  const value = values[name] ?? '';
  if (choices !== undefined)
    return html`<label class="field"><span>${label}</span><select name="${own}"${focusIf(isFocus)}>${choices.map(([one, words]) => option(one, words, value))}</select></label>`;
  // Browsers drop the first line break of a text area, so one is added.
  if (isLong)
    return html`<label class="field"><span>${label}</span><textarea name="${own}" rows="1" maxlength="20000" dir="auto"${focusIf(isFocus)}>\n${value}</textarea></label>`;
  const list = proposals === undefined || proposals.length === 0 ? undefined : `${own}-known`;
  const known =
    list === undefined
      ? null
      : html`<datalist id="${list}">${proposals?.map((one) => html`<option value="${one}">`)}</datalist>`;
  return html`<label class="field"><span>${label}</span><input name="${own}" value="${value}" maxlength="500" autocomplete="off" dir="auto"${list === undefined ? null : html` list="${list}"`}${focusIf(isFocus)}>${known}</label>`;
}

function keptWords(condition: DraftCondition, known: ProposedNames): string | undefined {
  try {
    const filter = keptFilter(condition);
    return filter === undefined ? undefined : sentenceOf(filter, namesIn(known));
  } catch (error) {
    if (error instanceof ConditionFault) return error.message;
    throw error;
  }
}

/** The fields of a condition, line by line. */
function fieldLines(
  fields: readonly ConditionField[],
  prefix: string,
  values: Values,
  focus: string | undefined,
): Html {
  const lines: Html[][] = [[]];
  for (const [place, field] of fields.entries()) {
    const isFocus = focus === fieldName(prefix, field.name) || (focus === prefix && place === 0);
    if (field.startsLine === true) lines.push([]);
    lines.at(-1)?.push(fieldOf(field, prefix, values, isFocus));
  }
  return html`${lines.map((line) => html`<div class="fields">${line}</div>`)}`;
}

function conditionPart(
  condition: DraftCondition,
  group: number,
  index: number,
  { known, faults, focus }: FormView,
): Html {
  const prefix = conditionName(group, index);
  const kind = Object.hasOwn(kinds, condition.kind) ? kinds[condition.kind] : undefined;
  const title = kind?.title ?? 'A condition that this form cannot change';
  const fault = faults.find((one) => one.group === group && one.condition === index);
  const fields =
    kind === undefined
      ? html`<p dir="auto">${keptWords(condition, known)}</p><input type="hidden" name="${prefix}.json" value="${condition.values['json'] ?? ''}">`
      : fieldLines(kind.fields(condition.values, known), prefix, condition.values, focus);
  const place = `${group}:${index}`;
  const name = `condition ${index + 1} of group ${group + 1}: ${title}`;
  const more =
    kind?.more === undefined
      ? null
      : html`<button class="button quiet" name="step" value="more:${place}" type="submit" aria-label="${kind.more.words} to ${name}">${kind.more.words}</button>`;
  return html`<fieldset class="condition"><legend>${title}</legend><input type="hidden" name="${prefix}.kind" value="${condition.kind}">${fields}${fault === undefined ? null : html`<p class="fault">${fault.message}</p>`}${more}<button class="button quiet" name="step" value="remove:${place}" type="submit" aria-label="Remove ${name}">Remove</button></fieldset>`;
}

const joins: readonly (readonly [Join, string])[] = [
  ['all', 'All of these are true'],
  ['any', 'At least one of these is true'],
  ['none', 'None of these is true'],
];

/** The menu of kinds, by their headings. */
function kindMenu(): Html[] {
  const headings = [...new Set(Object.values(kinds).map(({ group }) => group))];
  return headings.map((heading) => {
    const own = Object.entries(kinds).filter(([, { group }]) => group === heading);
    return html`<optgroup label="${heading}">${own.map(([name, { title }]) => option(name, title, ''))}</optgroup>`;
  });
}

function groupPart({ join, conditions }: DraftGroup, group: number, count: number, shown: FormView): Html {
  const name = groupName(group);
  const rows = conditions.map((condition, index) => conditionPart(condition, group, index, shown));
  const remove =
    count === 1
      ? null
      : html`<button class="button quiet" name="step" value="ungroup:${group}" type="submit">Remove group ${group + 1}</button>`;
  const none = rows.length === 0 ? html`<p class="quiet">No conditions yet: the group is left out.</p>` : null;
  return html`<fieldset class="card panel group"><legend>${count === 1 ? 'Conditions' : `Group ${group + 1}`}</legend><label class="field"><span>Who is in the segment</span><select name="${name}.join">${joins.map(([value, words]) => option(value, words, join))}</select></label>${none}${rows}<div class="add"><label class="field"><span>A condition about</span><select name="${name}.add"${focusIf(shown.focus === name)}>${kindMenu()}</select></label><button class="button" name="step" value="add:${group}" type="submit">Add the condition</button>${remove}</div></fieldset>`;
}

/** The groups of the draft, and how they are joined. */
export function draftFields({ join, groups }: Draft, shown: FormView): Html {
  const joined =
    groups.length === 1
      ? html`<input type="hidden" name="join" value="${join}">`
      : html`<label class="field"><span>Of the groups</span><select name="join">${option('all', 'all must be true', join)}${option('any', 'at least one must be true', join)}</select></label>`;
  return html`${joined}${groups.map((group, index) => groupPart(group, index, groups.length, shown))}<p><button class="button" name="step" value="group" type="submit">Add a group</button></p>`;
}

export const builderStyle = `.builder{display:grid;gap:16px}
.builder fieldset{min-width:0;margin:0;border:1px solid var(--line);border-radius:10px}
.builder legend{padding:0 6px;font-weight:600}
.panel>.condition{margin-block-start:16px}
.condition{padding:4px 12px 12px;background:var(--sunk)}
.condition>*+*{margin-block-start:4px}
.condition>.fields+.fields{margin-block-start:12px}
.condition>.button+.button{margin-inline-start:16px}
.fields,.add{display:flex;flex-wrap:wrap;align-items:end;gap:8px}
.fault{color:var(--bad)}
.builder .condition textarea{height:36px;min-height:36px}
.condition .quiet{padding-inline:0;color:var(--accent)}
`;
