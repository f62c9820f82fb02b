import type { Kept } from './kept.ts';

interface Listener {
  listen(options: { host: string; port: number }): Promise<string>;
}

/** Listens where it listened at the last start: what calls it finds it again. Returns the address. */
export const listen = async (
  app: Listener,
  kept: Kept<{ readonly port: number }>,
  port = kept.value.port,
): Promise<string> => {
  try {
    const address = await app.listen({ host: '127.0.0.1', port });
    kept.change({ port: Number(new URL(address).port) });
    return address;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause;
    throw new Error(
      `Port ${port} is in use, perhaps by another quickstart. End it, or name other data with --data <folder>.`,
      { cause },
    );
  }
};
