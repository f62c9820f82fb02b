import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** An SMTP server (RFC 5321) that keeps mails. */
export const startSmtpServer = async () => {
  const mails: string[] = [];
  const open = new Set<Socket>();
  const serve = async (socket: Socket): Promise<void> => {
    let body: string[] | undefined;
    const reply = (line: string): void => void socket.write(`${line}\r\n`);
    reply('220 mail.example');
    for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) {
      if (body && line !== '.') body.push(line);
      else if (body) {
        mails.push(body.join('\n'));
        body = undefined;
        reply('250 stored');
      } else if (/^data$/i.test(line)) {
        body = [];
        reply('354 go on');
      } else if (/^quit$/i.test(line)) {
        reply('221 bye');
        socket.end();
      } else reply('250 ok');
    }
  };
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    serve(socket).catch(() => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    mails,
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
