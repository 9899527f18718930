// Messages in a stream of bytes: a head in JSON, and a body of bytes. Used by both processes, because pictures are too
// large for the messages of Node.js between processes, which copy bytes as text.

/** A message as bytes: the two lengths, then the head and the body. */
export function frameOf(head: object, body: Uint8Array = new Uint8Array()): Buffer {
  const json = Buffer.from(JSON.stringify(head));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(json.length, 0);
  lengths.writeUInt32BE(body.length, 4);
  return Buffer.concat([lengths, json, body]);
}

/** Collects pieces of a stream, and calls `onMessage` with each complete message. */
export function frameReader<Head>(onMessage: (head: Head, body: Buffer) => void): (piece: Buffer) => void {
  let pieces: Buffer[] = [];
  let size = 0;
  let neededBytes = 8;
  return (piece) => {
    pieces.push(piece);
    size += piece.length;
    while (size >= neededBytes) {
      const bytes = Buffer.concat(pieces);
      const [head, body] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)];
      neededBytes = 8 + head + body;
      pieces = [bytes];
      if (size < neededBytes) return;
      onMessage(JSON.parse(bytes.toString('utf8', 8, 8 + head)) as Head, bytes.subarray(8 + head, neededBytes));
      pieces = [bytes.subarray(neededBytes)];
      size -= neededBytes;
      neededBytes = 8;
    }
  };
}
