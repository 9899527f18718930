import {
  type CursorPosition,
  decodeCursor,
  normaliseAddress,
  type PublicRouteContext,
  toPage,
  z,
} from '../../../core/index.ts';
import { checkInput, jsonResponse, pageRoute, queryOf, type VisibleWorkspace } from '../../../core/unstable.ts';
import { gate } from '../access.ts';
import { fold } from '../fold.ts';
import { presentItem } from '../present.ts';
import { countMatching, countUnseen, listMessages as listRows, type MessageFilter, readTotals } from '../store.ts';
import type { InboxMessageRow } from '../tables.ts';
import { readVisible, requestedWorkspaces } from '../visible-workspaces.ts';
import type { MessageItem } from '../wire.ts';

const text = z.string().trim().max(500);

const listQuery = z.strictObject({
  to: text.optional(),
  subject: text.optional(),
  q: text.optional(),
  workspace: z.string().max(100).optional(),
  limit: z
    .string()
    .regex(/^\d{1,9}$/, 'This must be a whole number in digits.')
    .transform(Number)
    .pipe(z.number().min(1).max(100))
    .default(50),
  cursor: z.string().min(1).max(500).optional(),
});

function filterOf({ to, subject, q }: z.output<typeof listQuery>): MessageFilter {
  return {
    ...(to === undefined || to === '' ? {} : { toNormalised: normaliseAddress(to) }),
    ...(subject === undefined || subject === '' ? {} : { subject: fold(subject) }),
    words: fold(q ?? '')
      .split(/\s+/)
      .filter((word) => word !== ''),
  };
}

const isEmpty = ({ toNormalised, subject, words = [] }: MessageFilter): boolean =>
  toNormalised === undefined && subject === undefined && words.length === 0;

interface WorkspacePage {
  readonly rows: readonly InboxMessageRow[];
  readonly items: ReadonlyMap<string, MessageItem>;
  readonly total: number;
  readonly matching: number;
  readonly unread: number;
}

/** The messages of one workspace for a page: at most as many as fit on the page. */
function readPage(
  ctx: PublicRouteContext,
  visible: VisibleWorkspace,
  filter: MessageFilter,
  limit: number,
  after: CursorPosition | undefined,
): Promise<WorkspacePage> {
  return readVisible(ctx, visible, async (handle) => {
    const rows = await listRows(handle, filter, limit, after);
    const ids = rows.map(({ send_id: id }) => id);
    const statuses = await ctx.services.sendReports.statuses(handle, ids);
    const { messages: total } = await readTotals(handle);
    return {
      rows,
      items: new Map(rows.map((row) => [row.send_id, presentItem(row, statuses.get(row.send_id))])),
      total,
      matching: isEmpty(filter) ? total : await countMatching(handle, filter),
      unread: await countUnseen(handle),
    };
  });
}

const newestFirst = (a: InboxMessageRow, b: InboxMessageRow): number =>
  b.created_at - a.created_at || (a.send_id < b.send_id ? 1 : -1);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Messages of one workspace, or of all workspaces that the caller may see, newest first. */
export const listMessages = pageRoute(
  gate,
  { http: 'GET /inbox/messages', description: 'Messages of the development inbox, newest first.' },
  async (ctx, request, visitor) => {
    const query = checkInput(listQuery, queryOf(request));
    const { limit } = query;
    const after = decodeCursor('inbox', query.cursor);
    const scope = await requestedWorkspaces(ctx, visitor, query.workspace);
    const filter = filterOf(query);
    const pages = await Promise.all(scope.map((visible) => readPage(ctx, visible, filter, limit, after)));
    const items = new Map(pages.flatMap((page) => [...page.items]));
    const { data, next_cursor } = toPage(
      'inbox',
      pages.flatMap(({ rows }) => rows).sort(newestFirst),
      limit,
      (row) => ({ createdAt: row.created_at, id: row.send_id }),
      (row) => items.get(row.send_id),
    );
    return jsonResponse(request, {
      data,
      has_more: next_cursor !== null,
      next_cursor,
      total: sum(pages.map(({ total }) => total)),
      matching: sum(pages.map(({ matching }) => matching)),
      unread: sum(pages.map(({ unread }) => unread)),
    });
  },
);
