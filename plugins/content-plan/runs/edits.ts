// Applies the edits that people make to a proposal when they approve it.
import type { ErrorDetail } from '../../../core/index.ts';
import type { PlanEdit } from './schema.ts';
import type { Caption, GateName, PlanRunRow, Slot, Theme } from './tables.ts';
import { spanOfWeek } from './week.ts';

type Entry = Theme | Slot | Caption;

/** The editable fields of each gate's entries. */
const fieldsOf: Readonly<Record<GateName, readonly (keyof PlanEdit)[]>> = {
  themes: ['title', 'reason'],
  slots: ['channel', 'at', 'theme', 'idea'],
  captions: ['caption'],
};

/** The fields with a value. */
const definedFields = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** A proposal after its edits, and the faults of the edits. */
export interface EditedProposal {
  readonly entries: readonly Entry[];
  readonly faults: readonly ErrorDetail[];
}

function slotFaults(run: PlanRunRow, { channel, at, theme }: PlanEdit, path: string): ErrorDetail[] {
  const { from, until } = spanOfWeek(run);
  const faults: ErrorDetail[] = [];
  const refuse = (field: string, code: string, message: string) =>
    faults.push({ path: `${path}.${field}`, code, message });
  if (channel !== undefined && !run.channels.includes(channel))
    refuse('channel', 'unknown', `The run has the channels ${run.channels.join(', ')}.`);
  if (at !== undefined && (at < from || at >= until))
    refuse('at', 'out_of_range', `at must lie within the week from ${run.week_of}, in ${run.timezone}.`);
  if (theme !== undefined && !run.gates.themes.proposal?.some(({ id }) => id === theme))
    refuse('theme', 'unknown', `The run has no theme ${theme}.`);
  return faults;
}

function faultsOf(
  run: PlanRunRow,
  gate: GateName,
  entries: readonly Entry[],
  edits: readonly PlanEdit[],
): ErrorDetail[] {
  const allowed: readonly string[] = ['id', 'remove', ...fieldsOf[gate]];
  const ids = edits.map(({ id }) => id);
  return edits.flatMap((edit, index) => {
    const path = `edits.${index}`;
    const entryIds = entries.map(({ id }) => id);
    return [
      ...(entryIds.includes(edit.id)
        ? []
        : [{ path: `${path}.id`, code: 'unknown', message: `The proposal has the entries ${entryIds.join(', ')}.` }]),
      ...(ids.indexOf(edit.id) === index
        ? []
        : [{ path: `${path}.id`, code: 'duplicate', message: `${edit.id} is edited twice.` }]),
      ...Object.keys(edit).flatMap((field) =>
        allowed.includes(field)
          ? []
          : [{ path: `${path}.${field}`, code: 'not_allowed', message: `An entry of the ${gate} has no ${field}.` }],
      ),
      ...(gate === 'slots' ? slotFaults(run, edit, path) : []),
    ];
  });
}

/** Applies the edits. */
export function editedProposal(run: PlanRunRow, gate: GateName, edits: readonly PlanEdit[] = []): EditedProposal {
  const entries: readonly Entry[] = run.gates[gate]?.proposal ?? [];
  const faults = faultsOf(run, gate, entries, edits);
  const changed = entries.flatMap((entry): readonly Entry[] => {
    const edit = edits.find(({ id }) => id === entry.id);
    if (edit === undefined) return [entry];
    const { remove = false, ...fields } = edit;
    if (remove) return [];
    return [{ ...entry, ...(definedFields(fields) as Partial<Entry>) } as Entry];
  });
  if (changed.length === 0)
    faults.push({ path: 'edits', code: 'required', message: 'One entry has to stay. To end the run, reject it.' });
  const ordered = gate === 'slots' ? [...(changed as readonly Slot[])].sort((a, b) => a.at - b.at) : changed;
  return { entries: ordered, faults };
}
