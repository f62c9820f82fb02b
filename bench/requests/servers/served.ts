import { serve } from '../../postgres/children.ts';

/** A server in a process of its own, where its payment requests are, and a token for them. */
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

/** The host's line in its ledger, in the transaction of each command. */
export const book = (request: string, command: string) => ({
  name: 'book',
  text: 'insert into ledger (request, command) values ($1, $2)',
  values: [request, command],
});

/** What each program here does: it is handed the address of its database. */
export const serveRequests = (start: (database: string) => Promise<Served>): void => {
  if (!process.send) return;
  serve<ServedHandlers>(async (database: never) => {
    const served = await start(database);
    return { served: async () => served };
  });
};
