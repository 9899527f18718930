// Warnings about a filter that may select other contacts than its author expects: unknown attributes and events, and conditions that
// are always or never true. A filter with warnings is still accepted.
import { normaliseAddress, type ReadContext } from '../../core/index.ts';
import { type FilterCondition, innerFilters, isCondition, leavesOf, shortened } from '../../core/unstable.ts';
import { isDid, listsIn, type SegmentFilter, topicsIn } from './filter-schema.ts';
import { hasActivity, hasAttribute } from './query.ts';

const attribute = 'contact.attributes.';
const email = 'contact.email';
const texts: ReadonlySet<string> = new Set([email, 'contact.external_id']);
const orders: ReadonlySet<string> = new Set(['gt', 'gte', 'lt', 'lte']);
const ages: ReadonlySet<string> = new Set(['within_days', 'older_than_days']);

/** Whether a comparison with this text may be true for an address. Addresses are stored in their normalised form. */
function mayBeIn(op: FilterCondition['op'], text: string): boolean {
  if (op === 'contains' || op === 'starts_with') return text === text.toLowerCase();
  return orders.has(op) || text === normaliseAddress(text);
}

/** The result of a comparison that has the same result for every contact; undefined if contacts differ. */
function fixedComparison({ path, op, value }: FilterCondition): boolean | undefined {
  if (op === 'in' && Array.isArray(value) && value.length === 0) return false;
  const values = [value].flat();
  if (texts.has(path)) {
    if (ages.has(op)) return false;
    if (op === 'exists' || values.some((one) => typeof one === 'string' && (path !== email || mayBeIn(op, one))))
      return undefined;
    return op === 'ne';
  }
  if (path === 'contact.subscribed') {
    if (op === 'exists') return value === true;
    if (orders.has(op) || ages.has(op) || op === 'contains' || op === 'starts_with') return false;
    return values.some((one) => typeof one === 'boolean') ? undefined : op === 'ne';
  }
  if ((path === 'contact.created_at' || path === 'contact.updated_at') && op === 'exists') return value === true;
  return undefined;
}

/** The result of a filter that has the same result for every contact; undefined if contacts differ. */
function fixedResult(filter: SegmentFilter): boolean | undefined {
  if (isCondition(filter)) return fixedComparison(filter);
  const results = innerFilters(filter).map((inner) => fixedResult(inner));
  if ('all' in filter) return results.includes(false) ? false : results.every((one) => one === true) ? true : undefined;
  if ('any' in filter) return results.includes(true) ? true : results.every((one) => one === false) ? false : undefined;
  if ('not' in filter) return results[0] === undefined ? undefined : !results[0];
  return Object.keys(filter).length === 0 ? true : undefined;
}

/** Every part of a filter with a fixed result, outermost parts only: parts inside such a part are left out. */
function fixedParts(filter: SegmentFilter): { readonly filter: SegmentFilter; readonly result: boolean }[] {
  const result = fixedResult(filter);
  if (result !== undefined) return [{ filter, result }];
  return innerFilters(filter).flatMap((inner) => fixedParts(inner));
}

/** The sentences about a filter. */
export async function warningsOf({ trx, services }: ReadContext, filter: SegmentFilter): Promise<string[]> {
  const warnings: string[] = [];
  const leaves = leavesOf(filter);
  const names = leaves.flatMap((leaf) =>
    isCondition(leaf) && leaf.path.startsWith(attribute) ? [leaf.path.slice(attribute.length)] : [],
  );
  for (const name of new Set(names))
    if (!(await hasAttribute(trx, name))) warnings.push(`No contact has the attribute ${JSON.stringify(name)}.`);
  for (const type of new Set(leaves.flatMap((leaf) => (isDid(leaf) ? [leaf.did] : []))))
    if (!(await hasActivity(trx, type))) warnings.push(`No contact ever did ${JSON.stringify(type)}.`);
  for (const listId of listsIn(filter))
    if ((await services.lists.find(trx, listId)) === undefined) warnings.push(`There is no list ${listId}.`);
  const topics = await services.topics.existing(trx, topicsIn(filter));
  for (const key of topicsIn(filter)) if (!topics.has(key)) warnings.push(`There is no topic ${key}.`);
  for (const { filter: part, result } of fixedParts(filter))
    warnings.push(`${shortened(JSON.stringify(part), 200)} is ${result ? 'always' : 'never'} true.`);
  return warnings;
}
