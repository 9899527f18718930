// The name of an operation's typed call in service.as(workspace). Called by the kernel and by openapi.ts; the types in
// contract/context/api.ts compute the same name.

const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** `order_items.read_all` → `orderItems`, `readAll`. */
export function callName(operationId: string): { readonly area: string; readonly name: string } {
  const [area = '', name = ''] = operationId.split('.');
  return { area: camelCase(area), name: camelCase(name) };
}
