import { serve } from '../../children.ts';

/** A server in a separate process, the path of its payment requests, and a token. */
export interface Served {
  readonly port: number;
  readonly path: string;
  readonly token: string;
}

export interface ServedHandlers {
  served(): Promise<Served>;
}

/** Connections to the database, on each side. */
export const poolSize = 10;

/** The ledger entry of the host, in the transaction of each command. */
export const book = (request: string, command: string) => ({
  name: 'book',
  text: 'insert into ledger (request, command) values ($1, $2)',
  values: [request, command],
});

/** The main function of each program here; its input is the URL of its database. */
export const serveRequests = (start: (database: string) => Promise<Served>): void => {
  if (!process.send) return;
  serve<ServedHandlers>(async (database: never) => {
    const served = await start(database);
    return { served: async () => served };
  });
};
