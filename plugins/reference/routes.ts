// The page and its two files. Made at the first request and kept as bytes, separately for each composed service.
import type { HttpResponse, PublicRequest, PublicRoute, PublicRouteContext } from '../../core/index.ts';
import { coreErrors, definePublicRoute, entityResponse, entityTag } from '../../core/index.ts';
import type { ReferenceOptions } from './options.ts';
import { pathOf } from './options.ts';

/** Bytes ready to be sent. */
interface Served {
  readonly body: string;
  readonly tag: string;
  readonly type: string;
}

interface Files {
  readonly style: Served;
  readonly script: Served;
}

interface Pages extends Files {
  /** Separate for requests with and without a slash at the end: their relative addresses differ. */
  readonly below: Served;
  readonly beside: Served;
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const served = (body: string, type: string): Served => ({ body, tag: entityTag(body), type });

async function makePages(context: PublicRouteContext, path: string): Promise<Pages> {
  const [{ referencePage }, { readDocument }, { script, style }] = await Promise.all([
    import('./page.ts'),
    import('./document.ts'),
    import('./assets.gen.ts'),
  ]);
  const files: Files = {
    style: served(style, 'text/css; charset=utf-8'),
    script: served(script, 'text/javascript; charset=utf-8'),
  };
  const document = readDocument(context.openapi());
  const steps = path.split('/').length - 1;
  const versionOf = ({ tag }: Served): string => tag.slice(1, 9);
  const pageAt = (folder: string): Served =>
    served(
      referencePage(document, {
        style: `${folder}reference.css?v=${versionOf(files.style)}`,
        script: `${folder}reference.js?v=${versionOf(files.script)}`,
        toService: '../'.repeat(steps),
      }),
      'text/html; charset=utf-8',
    );
  return { ...files, below: pageAt(''), beside: pageAt(`${path.slice(path.lastIndexOf('/') + 1)}/`) };
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
  const made = new WeakMap<object, Promise<Pages>>();
  const pagesOf = (context: PublicRouteContext): Promise<Pages> => {
    const document = context.openapi();
    const known = made.get(document);
    if (known !== undefined) return known;
    const making = makePages(context, path);
    made.set(document, making);
    making.catch(() => made.delete(document));
    return making;
  };

  const route = (
    at: `/${string}`,
    description: string,
    choose: (pages: Pages, request: PublicRequest) => Served,
    caching: (request: PublicRequest) => string,
  ): PublicRoute =>
    definePublicRoute({
      http: `GET ${at}`,
      description,
      async handler(context, request): Promise<HttpResponse> {
        if (!(await mayRead(options, context, request)))
          throw coreErrors.route_not_found({ path: pathIn(request).slice(0, 200) });
        const { body, tag, type } = choose(await pagesOf(context), request);
        return entityResponse(request, tag, body, type, {
          'Cache-Control': caching(request),
          'Content-Security-Policy': policy,
          'X-Content-Type-Options': 'nosniff',
          'Referrer-Policy': 'no-referrer',
        });
      },
    });

  const anew = () => 'private, no-cache';
  // The address of a file changes with its bytes.
  const forever = ({ query }: PublicRequest) => (query.has('v') ? 'private, max-age=31536000, immutable' : anew());
  return [
    route(
      path,
      'The API reference.',
      (pages, request) => (pathIn(request).endsWith('/') ? pages.below : pages.beside),
      anew,
    ),
    route(`${path}/reference.css`, 'Its style.', ({ style }) => style, forever),
    route(`${path}/reference.js`, 'Its script.', ({ script }) => script, forever),
  ];
}
