/**
 * The members of a node-redis client that partnerkit calls: `createClient`, `createCluster`, `createClientPool` or
 * `createSentinel`, version 5 or 6.
 * @public
 */
export interface NodeRedisClient {
  /** Runs a cached script. */
  evalSha(
    sha1: string,
    options: {
      /** `KEYS` of the script. */
      keys: string[];
      /** `ARGV` of the script. */
      arguments: string[];
    },
  ): Promise<unknown>;
  /** Runs a script and caches it. */
  eval(
    script: string,
    options: {
      /** `KEYS` of the script. */
      keys: string[];
      /** `ARGV` of the script. */
      arguments: string[];
    },
  ): Promise<unknown>;
}

/**
 * The members of an ioredis client that partnerkit calls: `Redis` or `Cluster`, version 5 or 6.
 * @public
 */
export interface IoredisClient {
  /** Whether it is a client of a cluster. */
  readonly isCluster?: boolean;
  /** Runs a command. */
  call(command: string, args: string[]): Promise<unknown>;
}

/**
 * The host's client. The host connects, configures and closes it; partnerkit opens no connection.
 * @public
 */
export type RedisClient = NodeRedisClient | IoredisClient;
