// Messages in a stream of bytes: a head of JSON, and the bytes that belong to it. Used by both processes, because
// pictures are too large for the messages of Node.js between processes, which copy them as text.

/** A message as bytes: the two lengths, then the head and the body. */
export function frameOf(head: object, body: Uint8Array = new Uint8Array()): Buffer {
  const json = Buffer.from(JSON.stringify(head));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(json.length, 0);
  lengths.writeUInt32BE(body.length, 4);
  return Buffer.concat([lengths, json, body]);
}

/** Gathers pieces of a stream, and calls `take` with each complete message. */
export function frameReader<Head>(take: (head: Head, body: Buffer) => void): (piece: Buffer) => void {
  let pieces: Buffer[] = [];
  let size = 0;
  let wanted = 8;
  return (piece) => {
    pieces.push(piece);
    size += piece.length;
    while (size >= wanted) {
      const bytes = Buffer.concat(pieces);
      const [head, body] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)];
      wanted = 8 + head + body;
      pieces = [bytes];
      if (size < wanted) return;
      take(JSON.parse(bytes.toString('utf8', 8, 8 + head)) as Head, bytes.subarray(8 + head, wanted));
      pieces = [bytes.subarray(wanted)];
      size -= wanted;
      wanted = 8;
    }
  };
}
