import type { RedisClient } from '../../src/index.ts';

/** A client that notes the name of each command that it is handed, and how many keys the command has. */
export const counting = (client: RedisClient) => {
  const commands: { readonly name: string; readonly keys: number }[] = [];
  const counted: RedisClient =
    'evalSha' in client
      ? {
          evalSha: (sha1, options) => {
            commands.push({ name: 'EVALSHA', keys: options.keys.length });
            return client.evalSha(sha1, options);
          },
          eval: (script, options) => {
            commands.push({ name: 'EVAL', keys: options.keys.length });
            return client.eval(script, options);
          },
        }
      : {
          isCluster: client.isCluster === true,
          call: (name, args) => {
            commands.push({ name, keys: Number(args[1]) });
            return client.call(name, args);
          },
        };
  return {
    client: counted,
    /** What was sent since it was last asked. */
    sent: () => commands.splice(0),
  };
};
