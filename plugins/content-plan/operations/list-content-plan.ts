import {
  decodeCursor,
  defineOperation,
  isoTime,
  listOf,
  pageQuery,
  timeInput,
  toIsoTime,
  toPage,
  z,
} from '../../../core/index.ts';
import { entriesBetween, entryKinds } from '../list/entries.ts';

const list = 'content_plan.list';
const day = 86_400_000;
const defaultDays = 28;
const maxDays = 92;

const entry = z
  .object({
    kind: z.enum(entryKinds),
    id: z.string(),
    title: z.string(),
    at: isoTime.describe('The time at which it is or was sent or published, or its planned time.'),
    status: z.string(),
    channels: z.array(z.string()),
  })
  .meta({ id: 'PlanEntry' });

export const listContentPlan = defineOperation({
  id: list,
  summary: 'List the entries of the content plan',
  description: `Posts, placeholder posts, planned emails, broadcasts, and the blog posts and pages that were published, in one calendar: oldest first. A planned email that became a broadcast is shown as the broadcast. The next ${defaultDays} days, or from and to with at most ${maxDays} days between them. Kinds that the key may not read are left out.`,
  http: 'GET /v1/content-plan',
  tool: 'list_content_plan',
  searchWords: ['scheduled', 'planned', 'soon'],
  scopes: ['campaigns:read'],
  idempotency: 'read',
  input: {
    query: z.object({
      ...pageQuery,
      from: timeInput.optional().describe('(Default: now)'),
      to: timeInput.optional().describe(`Exclusive. (Default: ${defaultDays} days after from)`),
    }),
  },
  output: listOf(entry),
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  exampleRow: 'skipped: the entries are rows of other areas; pages are shown in test/plugins/content-plan.test.ts',

  async handler(ctx, { query: { cursor, limit, from = ctx.now, to } }) {
    const until = to ?? from + defaultDays * day;
    if (until <= from) ctx.refuse([{ path: 'to', code: 'out_of_range', message: 'to must be after from.' }]);
    if (until > from + maxDays * day)
      ctx.refuse([{ path: 'to', code: 'out_of_range', message: `to must be at most ${maxDays} days after from.` }]);
    const position = decodeCursor(list, cursor);
    const after = position === undefined ? undefined : { at: position.createdAt, id: position.id };
    const span = { from, until, after, limit: limit + 1 };
    const entries = await entriesBetween(ctx, span, (scope) => ctx.holds(scope));
    return toPage(
      list,
      entries,
      limit,
      ({ at: createdAt, id }) => ({ createdAt, id }),
      ({ at, channels, ...rest }) => ({ ...rest, at: toIsoTime(at), channels: [...channels] }),
    );
  },
});
