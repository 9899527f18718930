import { definePublicRoute, type HttpResponse, isPostriderError, type PublicRouteContext } from 'postrider';
import { type SurveyRow, surveys } from './surveys.js';

const path = '/surveys/{workspace}/{id}';
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const html = (status: number, title: string, content = ''): HttpResponse => ({
  status,
  headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
  body: `<!doctype html><html lang="en"><title>${escaped(title)}</title><h1>${escaped(title)}</h1>${content}</html>`,
});

type Params = Readonly<Record<string, string>>;

async function findOpenSurvey(ctx: PublicRouteContext, params: Params): Promise<SurveyRow | undefined> {
  const { workspace = '', id = '' } = params;
  const survey = await ctx.read(workspace, ({ trx }) => surveys.rows.find(trx, id));
  const isOver = survey?.expires_at != null && survey.expires_at <= ctx.now;
  return survey?.status === 'open' && !isOver ? survey : undefined;
}

const closedPage = html(404, 'This survey is closed.');

/** The link in the mail: `<publicUrl>/surveys/<workspace's id>/<survey's id>`. */
const showSurvey = definePublicRoute({
  http: `GET ${path}`,
  description: 'The question to a customer, as a form.',
  limit: { perMinute: 60, burst: 30 },
  async handler(ctx, { params }) {
    const survey = await findOpenSurvey(ctx, params);
    if (survey === undefined) return closedPage;
    const form =
      '<form method="post"><input type="number" name="score" min="0" max="10" required><button>Send</button></form>';
    return html(200, survey.question, form);
  },
});

const acceptAnswer = definePublicRoute({
  http: `POST ${path}`,
  description: 'The answer of a customer.',
  limit: { perMinute: 10, burst: 5 },
  maxBodyBytes: 10_000,
  async handler(ctx, request) {
    const survey = await findOpenSurvey(ctx, request.params);
    if (survey === undefined) return closedPage;
    const score = Number((await request.form()).get('score') || Number.NaN);
    try {
      await ctx.calls(request.params['workspace'] ?? '', 'survey').surveys.answer({ id: survey.id, score });
    } catch (error) {
      if (isPostriderError(error)) return html(error.status, 'Give a number from 0 to 10.');
      throw error;
    }
    return html(200, 'Thank you.');
  },
});

export const publicRoutes = [showSurvey, acceptAnswer] as const;
