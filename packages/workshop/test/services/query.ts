import pg from 'pg';

/** Connects; what breaks the connection later is seen by the next query alone. */
export const connectTo = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
};

/** Asks once, on a connection of its own. */
export const query = async (url: string, sql: string): Promise<readonly unknown[]> => {
  const client = await connectTo(url);
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
};
