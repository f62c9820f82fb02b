import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

// Below the range of ephemeral ports, so no outgoing connection takes the port while its server restarts.
const [lowest, highest] = [15_000, 32_000];

const isFree = async (port: number) => {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
};

const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) return port;
  }
};

/** Starts something on a free port, and retries on another one when the port was taken meanwhile. */
export const onFreePort = async (start: (port: number) => Promise<unknown>, tries = 5): Promise<number> => {
  const port = await freePort();
  try {
    await start(port);
    return port;
  } catch (cause) {
    if (tries <= 1 || !/address already in use/i.test(String(cause))) throw cause;
    return onFreePort(start, tries - 1);
  }
};

/** Whether a server accepts connections on this port. */
export const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.unref().once('close', () => socket.destroy());
    socket.once('connect', () => socket.end());
  });
