/*
 * The SMTP server of the delivery bench, in a separate process: accepts every message and stores none. It does as little work as an
 * SMTP server can, so that the bench measures the sender. Offers PIPELINING and 8BITMIME, as real servers do. Sends its port to its
 * parent, and the number of accepted messages on request.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net';

let takenCount = 0;
const end = Buffer.from('\r\n.\r\n');

function handleConnection(socket: Socket): void {
  let unreadBytes: Buffer = Buffer.alloc(0);
  let inContent = false;
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  socket.write('220 sink.example ESMTP\r\n');
  socket.on('data', (chunk) => {
    unreadBytes = unreadBytes.length === 0 ? chunk : Buffer.concat([unreadBytes, chunk]);
    let answers = '';
    for (;;) {
      if (inContent) {
        const at = unreadBytes.indexOf(end);
        if (at < 0) break;
        unreadBytes = unreadBytes.subarray(at + end.length);
        inContent = false;
        takenCount += 1;
        answers += `250 2.0.0 Ok: queued as S${takenCount}\r\n`;
        continue;
      }
      const at = unreadBytes.indexOf('\r\n');
      if (at < 0) break;
      const verb = unreadBytes.toString('latin1', 0, Math.min(at, 4)).toUpperCase();
      unreadBytes = unreadBytes.subarray(at + 2);
      if (verb === 'EHLO') answers += '250-sink.example\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SIZE 50000000\r\n';
      else if (verb === 'DATA') {
        inContent = true;
        answers += '354 Go ahead\r\n';
      } else if (verb === 'QUIT') answers += '221 Bye\r\n';
      else answers += '250 2.1.0 Ok\r\n';
    }
    if (answers !== '') socket.write(answers);
  });
}

const server = createServer(handleConnection);
process.on('message', () => process.send?.(takenCount));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
