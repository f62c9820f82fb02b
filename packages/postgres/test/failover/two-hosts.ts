import pg from 'pg';

/**
 * A pool of pg over several hosts, of which one accepts writes. pg connects to one host, so its clients take turns:
 * after a host that cannot be reached, or is read-only, the next connection tries the next host.
 */
export const poolOverHosts = (urls: readonly string[], config: pg.PoolConfig): pg.Pool => {
  let turn = 0;
  class TurningClient extends pg.Client {
    readonly #turn = turn;
    constructor(given: pg.ClientConfig = {}) {
      super({ ...given, connectionString: urls[turn % urls.length] });
    }
    async #connect(): Promise<pg.Client> {
      try {
        await super.connect();
        const { rows } = await this.query('show transaction_read_only');
        if (rows[0].transaction_read_only === 'on') throw new Error('This host is read-only.');
        return this;
      } catch (cause) {
        turn = this.#turn + 1;
        void this.end();
        throw cause;
      }
    }
    override connect(): Promise<pg.Client>;
    override connect(callback: ((cause: Error) => void) | ((cause: null, client: pg.Client) => void)): void;
    override connect(callback?: (cause: never, client: pg.Client) => void): Promise<pg.Client> | undefined {
      const connecting = this.#connect();
      if (!callback) return connecting;
      connecting.then(
        (client) => callback(null as never, client),
        (cause) => callback(cause as never, this),
      );
      return undefined;
    }
  }
  return new pg.Pool({ ...config, Client: TurningClient });
};
