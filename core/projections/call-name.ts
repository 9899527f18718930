// Where service.as(workspace) has the typed call of an operation. Called by the kernel and by openapi.ts; the types of
// contract/api.ts say the same.

const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** `social_events.post_read` → `socialEvents`, `postRead`. */
export function callName(operationId: string): { readonly area: string; readonly name: string } {
  const [area = '', name = ''] = operationId.split('.');
  return { area: camelCase(area), name: camelCase(name) };
}
