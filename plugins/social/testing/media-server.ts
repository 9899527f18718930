// Serves attachments on loopback, for networks that fetch them by URL.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that starts with its first file. */
export interface MediaServer {
  /** Returns the URL of these bytes. */
  serve(bytes: Uint8Array, contentType: string): Promise<string>;
  close(): Promise<void>;
}

export function createMediaServer(): MediaServer {
  const files: { readonly bytes: Uint8Array; readonly contentType: string }[] = [];
  const server = createServer((request, response) => {
    const file = files[Number(request.url?.match(/^\/(\d+)\./)?.[1] ?? -1)];
    if (file === undefined) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': file.contentType, 'content-length': file.bytes.length });
    return response.end(request.method === 'HEAD' ? undefined : file.bytes);
  });
  let opening: Promise<void> | undefined;
  return {
    async serve(bytes, contentType) {
      opening ??= new Promise((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
      await opening;
      files.push({ bytes, contentType });
      const ending = contentType.slice(contentType.indexOf('/') + 1);
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/${files.length - 1}.${ending}`;
    },
    async close() {
      if (opening === undefined) return;
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
