// The page and its two files. They are made at the first request and cached as bytes, separately for each composed service.
import {
  coreErrors,
  definePublicRoute,
  type HttpResponse,
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
} from '../../core/index.ts';
import { type StaticFile, staticFile, staticResponse } from '../../core/unstable.ts';
import { pathOf, type ReferenceOptions } from './options.ts';

interface Files {
  readonly style: StaticFile;
  readonly script: StaticFile;
}

interface Pages extends Files {
  /** There is one page for requests with a slash at the end and one without, because their relative URLs differ. */
  readonly withSlash: StaticFile;
  readonly withoutSlash: StaticFile;
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

async function makePages(ctx: PublicRouteContext, path: string, startPage: string | undefined): Promise<Pages> {
  const [{ referencePage }, { readDocument }, { script, style }] = await Promise.all([
    import('./page.ts'),
    import('./document.ts'),
    import('./assets.gen.ts'),
  ]);
  const files: Files = {
    style: staticFile(style, 'text/css; charset=utf-8'),
    script: staticFile(script, 'text/javascript; charset=utf-8'),
  };
  const document = readDocument(ctx.openapi());
  const steps = path.split('/').length - 1;
  const pageAt = (folder: string): StaticFile =>
    staticFile(
      referencePage(document, {
        style: `${folder}reference.css?v=${files.style.version}`,
        script: `${folder}reference.js?v=${files.script.version}`,
        startPage,
        toService: '../'.repeat(steps),
      }),
      'text/html; charset=utf-8',
    );
  return { ...files, withSlash: pageAt(''), withoutSlash: pageAt(`${path.slice(path.lastIndexOf('/') + 1)}/`) };
}

/** Whether this request may see the page. */
async function mayRead(
  options: ReferenceOptions,
  { ports }: PublicRouteContext,
  request: PublicRequest,
): Promise<boolean> {
  if (options.authorize !== undefined) return options.authorize(request);
  return options.public ?? ports.service.environment !== 'production';
}

const pathIn = ({ url }: PublicRequest): string => url.split('?', 1)[0] ?? url;

/** The routes of one reference. */
export function createRoutes(options: ReferenceOptions): PublicRoute[] {
  const path = pathOf(options);
  /** By document, then by start page, because hosts may name different start pages. */
  const pagesByContext = new WeakMap<object, Map<string | undefined, Promise<Pages>>>();
  const pagesOf = (ctx: PublicRouteContext, { startPage }: PublicRequest): Promise<Pages> => {
    const document = ctx.openapi();
    const pages = pagesByContext.get(document) ?? new Map<string | undefined, Promise<Pages>>();
    pagesByContext.set(document, pages);
    const cached = pages.get(startPage);
    if (cached !== undefined) return cached;
    const pagesPromise = makePages(ctx, path, startPage);
    pages.set(startPage, pagesPromise);
    pagesPromise.catch(() => pages.delete(startPage));
    return pagesPromise;
  };

  const route = (
    at: `/${string}`,
    description: string,
    choose: (pages: Pages, request: PublicRequest) => StaticFile,
  ): PublicRoute =>
    definePublicRoute({
      http: `GET ${at}`,
      description,
      async handler(ctx, request): Promise<HttpResponse> {
        if (!(await mayRead(options, ctx, request)))
          throw coreErrors.route_not_found({ path: pathIn(request).slice(0, 200) });
        return staticResponse(request, choose(await pagesOf(ctx, request), request), {
          'Content-Security-Policy': policy,
          'X-Content-Type-Options': 'nosniff',
          'Referrer-Policy': 'no-referrer',
        });
      },
    });

  return [
    route(path, 'The API reference.', (pages, request) =>
      pathIn(request).endsWith('/') ? pages.withSlash : pages.withoutSlash,
    ),
    route(`${path}/reference.css`, 'Its style.', ({ style }) => style),
    route(`${path}/reference.js`, 'Its script.', ({ script }) => script),
  ];
}
