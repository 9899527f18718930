// Arrays in PostgreSQL's binary form (array_send and array_recv in src/backend/utils/adt/arrayfuncs.c): texts need no escaping and
// bytes no hexadecimal digits. Called by postgres-array-forms.ts. Pure.

/** The object ids of the element types, from pg_type.dat. */
const elementTypes: Readonly<Record<string, number>> = {
  text: 25,
  'character varying': 1043,
  bytea: 17,
  bigint: 20,
  integer: 23,
  smallint: 21,
  boolean: 16,
  'double precision': 701,
};

const headerBytes = 20;
const missingLength = -1;

type Element = string | Uint8Array | number | boolean | null;

/** The value as an element of the type. Undefined if the text form is needed, such as for a number out of range. */
function elementOf(value: unknown, type: string): Element | undefined {
  if (value === null) return null;
  switch (type) {
    case 'text':
    case 'character varying':
      return value instanceof Uint8Array ? undefined : String(value);
    case 'bytea':
      return value instanceof Uint8Array ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'double precision':
      return typeof value === 'number' ? value : undefined;
    case 'bigint':
      return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
    case 'integer':
      return typeof value === 'number' && value === (value | 0) ? value : undefined;
    default:
      return typeof value === 'number' && value === (value << 16) >> 16 ? value : undefined;
  }
}

function lengthOf(element: Element, type: string): number {
  if (typeof element === 'string') return Buffer.byteLength(element);
  if (element === null) return 0;
  if (typeof element === 'object') return element.length;
  if (typeof element === 'boolean') return 1;
  return type === 'integer' ? 4 : type === 'smallint' ? 2 : 8;
}

function write(bytes: Buffer, element: Exclude<Element, null>, position: number, type: string): void {
  if (typeof element === 'string') bytes.write(element, position);
  else if (typeof element === 'object') bytes.set(element, position);
  else if (typeof element === 'boolean') bytes[position] = element ? 1 : 0;
  else if (type === 'double precision') bytes.writeDoubleBE(element, position);
  else if (type === 'integer') bytes.writeInt32BE(element, position);
  else if (type === 'smallint') bytes.writeInt16BE(element, position);
  else {
    bytes.writeInt32BE(Math.floor(element / 0x1_0000_0000), position);
    bytes.writeUInt32BE(element >>> 0, position + 4);
  }
}

/**
 * The values as an array of a type, such as `bigint`. Undefined if a value or the type has no binary form here: then send the
 * array in its text form.
 */
export function binaryArrayOf(values: readonly unknown[], type: string): Buffer | undefined {
  const typeId = elementTypes[type];
  if (typeId === undefined || values.length === 0) return undefined;
  const elements: Element[] = [];
  const lengths: number[] = [];
  let total = headerBytes;
  let missing = 0;
  for (const value of values) {
    const element = elementOf(value, type);
    if (element === undefined) return undefined;
    const length = lengthOf(element, type);
    elements.push(element);
    lengths.push(length);
    total += 4 + length;
    if (element === null) missing = 1;
  }
  const bytes = Buffer.allocUnsafe(total);
  const [dimensions, lowerBound] = [1, 1];
  bytes.writeInt32BE(dimensions, 0);
  bytes.writeInt32BE(missing, 4);
  bytes.writeInt32BE(typeId, 8);
  bytes.writeInt32BE(values.length, 12);
  bytes.writeInt32BE(lowerBound, 16);
  let position = headerBytes;
  // An index instead of entries(), which creates an array for each element.
  for (let index = 0; index < elements.length; index += 1) {
    const element = elements[index] ?? null;
    const length = lengths[index] ?? 0;
    bytes.writeInt32BE(element === null ? missingLength : length, position);
    position += 4;
    if (element !== null) write(bytes, element, position, type);
    position += length;
  }
  return bytes;
}
