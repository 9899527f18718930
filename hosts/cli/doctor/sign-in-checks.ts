// The check of `doctor` for agents that sign in: whether clients of the MCP endpoint find its metadata, at the mount and at the
// root of the origin. It asks the public URL like a client. Called by inspect.ts.
import type { Service } from '../../../core/index.ts';
import { bad, type Finding, good, note, reasonOf } from './finding.ts';

const name = 'Sign-in';

const remedy =
  'With Express add app.use(expressWellKnown(service)), with Fastify app.register(fastifyWellKnown(service)); with other frameworks and proxies, route /.well-known/* of the origin to the handler of the service.';

/** The JSON at a URL, or the reason why it could not be read. */
async function read(url: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>> | string> {
  try {
    const response = await fetch(url, { signal, redirect: 'manual' });
    if (response.status !== 200) {
      await response.body?.cancel();
      return `answers ${response.status}`;
    }
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : 'is not a JSON object';
  } catch (cause) {
    const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
    return `cannot be read: ${reasonOf(inner)}`;
  }
}

/** Checks whether clients find the metadata of the MCP endpoint. No finding without the plugin. */
export async function checkSignIn({ core }: Service, signal: AbortSignal): Promise<readonly Finding[]> {
  const { features, publicUrl, environment } = core.ports.service;
  if (!features.includes('oauth')) return [];
  if (publicUrl === undefined)
    return [note(name, 'agents need an API key: sign-in is off, because createService has no publicUrl')];
  const fault = environment === 'production' ? bad : note;
  const { origin, pathname } = new URL(publicUrl);
  const mount = pathname.replace(/\/+$/, '');
  const resource = `${publicUrl}/v1/mcp`;
  const mountedMetadata = await read(`${publicUrl}/.well-known/oauth-protected-resource/v1/mcp`, signal);
  if (typeof mountedMetadata === 'string' || mountedMetadata['resource'] !== resource) {
    const reason =
      typeof mountedMetadata === 'string'
        ? mountedMetadata
        : `names ${String(mountedMetadata['resource'])}, not ${resource}`;
    return [
      fault(
        name,
        `The metadata of the MCP endpoint below ${publicUrl} ${reason}. Set publicUrl to the address at which the service is mounted.`,
      ),
    ];
  }
  const findings = [good(name, `clients find the metadata of the MCP endpoint below ${publicUrl}`)];
  const servers = mountedMetadata['authorization_servers'];
  const isOwn = Array.isArray(servers) && servers.includes(publicUrl);
  const rootMetadata = [
    `${origin}/.well-known/oauth-protected-resource${mount}/v1/mcp`,
    ...(isOwn ? [`${origin}/.well-known/oauth-authorization-server${mount}`] : []),
  ];
  for (const url of mount === '' ? [] : rootMetadata) {
    const failure = await read(url, signal);
    if (typeof failure === 'string')
      findings.push(fault(name, `${url} ${failure}. Some clients look only there. ${remedy}`));
  }
  if (mount !== '' && findings.length === 1) findings.push(good(name, `clients find it at the root of ${origin}, too`));
  if (isOwn && !core.ports.access.configured)
    findings.push(
      note(
        name,
        'nobody can grant an agent permissions: pass createService the option access, which tells who is signed in',
      ),
    );
  return findings;
}
