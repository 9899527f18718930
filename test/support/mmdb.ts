// Writes small files in the format that MaxMind publishes (https://maxmind.github.io/MaxMind-DB/, version 2.0), for IPv4 networks.

type Value = string | { readonly [name: string]: Value } | readonly Value[] | number;

/** The control byte of a type and a size below 285. */
function control(type: number, size: number): Buffer {
  const [inline, rest] = size < 29 ? [size, []] : [29, [size - 29]];
  return Buffer.from(type < 8 ? [(type << 5) | inline, ...rest] : [inline, type - 7, ...rest]);
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([control(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([control(6, 4), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([control(11, value.length), ...value.map(encode)]);
  const entries = Object.entries(value as { readonly [name: string]: Value });
  return Buffer.concat([
    control(7, entries.length),
    ...entries.flatMap(([name, inner]) => [encode(name), encode(inner)]),
  ]);
}

type Node = [Node | number | undefined, Node | number | undefined];

/** A file with these networks, such as `81.2.69.0/24`, and their values. */
export function mmdbFile(networks: Readonly<Record<string, Value>>): Buffer {
  const root: Node = [undefined, undefined];
  const data: Buffer[] = [];
  let length = 0;
  for (const [network, value] of Object.entries(networks)) {
    const [address = '', bits = '32'] = network.split('/');
    const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    let node = root;
    for (let bit = 0; bit < Number(bits); bit += 1) {
      const side = Math.floor(number / 2 ** (31 - bit)) % 2;
      if (bit === Number(bits) - 1) node[side] = length;
      else {
        const next = (node[side] ?? [undefined, undefined]) as Node;
        node[side] = next;
        node = next;
      }
    }
    const encodedValue = encode(value);
    data.push(encodedValue);
    length += encodedValue.length;
  }
  const nodes: Node[] = [];
  const number = (node: Node): void => {
    nodes.push(node);
    for (const side of node) if (Array.isArray(side)) number(side);
  };
  number(root);
  const indexes = new Map(nodes.map((node, index) => [node, index]));
  const record = (side: Node[number]): number => {
    if (side === undefined) return nodes.length;
    return Array.isArray(side) ? (indexes.get(side) ?? 0) : nodes.length + 16 + side;
  };
  const tree = Buffer.alloc(nodes.length * 6);
  for (const [index, [left, right]] of nodes.entries()) {
    tree.writeUIntBE(record(left), index * 6, 3);
    tree.writeUIntBE(record(right), index * 6 + 3, 3);
  }
  const metadata = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    database_type: 'GeoLite2-City',
    description: { en: 'Test' },
    ip_version: 4,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 24,
  };
  const mark = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')]);
  return Buffer.concat([tree, Buffer.alloc(16), ...data, mark, encode(metadata)]);
}
