// Merges a change into the sections of a page: unchanged, replaced and new sections, in the order of the change, and
// checks them.
import type { ErrorDetail, OperationContext, ReadContext } from '../../../core/index.ts';
import { imagesIn } from '../content.ts';
import { formFaults } from '../forms/check-forms.ts';
import { type PageText, sizeFaults, textsOf } from '../rendering/texts.ts';
import { pageFaults } from './rules.ts';
import type { Section, SectionInput } from './schema.ts';

const at = 'sections';

/** Returns the sections, each with an id. @throws validation_failed */
function sectionsWithIds(
  context: OperationContext,
  current: readonly Section[],
  inputs: readonly SectionInput[],
): Section[] {
  const sectionsById = new Map(current.map((section) => [section.id, section]));
  const usedIds = new Set<string>();
  const faults: ErrorDetail[] = [];
  const sections = inputs.flatMap(({ id, kind, ...fields }, index): Section[] => {
    const existing = id === undefined ? undefined : sectionsById.get(id);
    if (id !== undefined && existing === undefined) {
      const message = `The page has no section ${id}. Leave the id out for a new one.`;
      faults.push({ path: `${at}.${index}.id`, code: 'unknown', message });
      return [];
    }
    if (id !== undefined && usedIds.has(id)) {
      faults.push({ path: `${at}.${index}.id`, code: 'duplicate', message: `The section ${id} is given twice.` });
      return [];
    }
    if (id !== undefined) usedIds.add(id);
    if (existing !== undefined && kind === undefined && Object.keys(fields).length === 0) return [existing];
    if (kind === undefined) {
      faults.push({ path: `${at}.${index}.kind`, code: 'required', message: 'A section needs a kind.' });
      return [];
    }
    return [{ id: id ?? context.newId('sec'), kind, ...fields }];
  });
  context.refuse(faults);
  return sections;
}

/** The faults of sections with assets, lists, sequences or lead magnets that do not exist. */
async function missingParts(ctx: ReadContext, sections: readonly Section[]): Promise<ErrorDetail[]> {
  const { services, trx } = ctx;
  const images = imagesIn(sections);
  const assets = await services.assets.findAll(
    trx,
    images.map(({ assetId }) => assetId),
  );
  const faults = images.flatMap(({ path, assetId }) => {
    const asset = assets.get(assetId);
    if (asset === undefined)
      return [{ path: `${at}.${path}`, code: 'unknown', message: `There is no asset ${assetId}.` }];
    if (asset.status === 'ready' && asset.kind === 'image') return [];
    const stateText = asset.status === 'ready' ? 'not a picture' : asset.status;
    return [{ path: `${at}.${path}`, code: 'invalid', message: `The asset ${assetId} is ${stateText}.` }];
  });
  return [...faults, ...(await formFaults(ctx, sections, at))];
}

/** Merges and checks a change. `rendered`: the texts of the given and of the previous sections. @throws validation_failed */
export async function mergeSections(
  context: OperationContext,
  current: readonly Section[],
  input: readonly SectionInput[],
  rendered: readonly PageText[],
): Promise<{ readonly sections: readonly Section[]; readonly texts: readonly PageText[] }> {
  const sections = sectionsWithIds(context, current, input);
  context.refuse(pageFaults(sections, at));
  const texts = textsOf(sections, rendered);
  context.refuse(sizeFaults(sections, texts, at));
  context.refuse(await missingParts(context, sections));
  return { sections, texts };
}
