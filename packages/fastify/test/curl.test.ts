import { execFile } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { addClient, type Credentials, grantOf, loginPath, memoryKit, mePath, own, startHost } from './support/host.ts';

/** Runs the real curl: what it prints, then the status on a line of its own. */
const curl = (args: readonly string[], binary = 'curl'): Promise<{ readonly status: number; readonly body: string }> =>
  new Promise((resolve, reject) => {
    // No settings of the user's own, and no proxy.
    const all = ['--disable', '--noproxy', '*', '--silent', '--show-error', '--write-out', '\n%{http_code}', ...args];
    execFile(binary, all, (error, stdout) => {
      if (error?.code === 'ENOENT') {
        reject(
          new Error(
            `${binary} is missing, and this test needs it: install it ("apt-get install curl", "brew install curl").`,
          ),
        );
      } else if (error) reject(error);
      else {
        const end = stdout.lastIndexOf('\n');
        resolve({ status: Number(stdout.slice(end + 1)), body: stdout.slice(0, end) });
      }
    });
  });

const start = async () => {
  const kit = memoryKit();
  const { origin } = await startHost({ kit });
  const credentials = await addClient(kit);
  return { login: `${origin}${loginPath}`, me: `${origin}${mePath(own.id)}`, credentials };
};

const ways: Readonly<Record<string, (credentials: Credentials) => readonly string[]>> = {
  JSON: (credentials) => [
    ...['--header', 'Content-Type: application/json', '--header', 'Accept: application/json'],
    ...['--data', JSON.stringify(grantOf(credentials))],
  ],
  'a form': (credentials) =>
    Object.entries(grantOf(credentials)).flatMap(([name, value]) => ['--data-urlencode', `${name}=${value}`]),
  'HTTP Basic (-u)': ({ client_id, client_secret }) => [
    ...['--user', `${client_id}:${client_secret}`],
    ...['--data', 'grant_type=client_credentials', '--data', 'scope=USER'],
  ],
};

describe.each(Object.entries(ways))('curl by %s', (_way, argsOf) => {
  test('logs in, and gets the account with the token', async () => {
    const { login, me, credentials } = await start();
    const granted = await curl([...argsOf(credentials), login]);
    expect(granted.status).toBe(200);
    const { access_token, token_type } = JSON.parse(granted.body);
    const account = await curl(['--header', `Authorization: ${token_type} ${access_token}`, me]);
    expect(account.status).toBe(200);
    const { id, name, status, environment } = own;
    expect(JSON.parse(account.body)).toEqual({ id, name, status, environment });
  });

  test('with a wrong secret is refused', async () => {
    const { login, credentials } = await start();
    const wrong = { ...credentials, client_secret: 'wrong' };
    const { status, body } = await curl([...argsOf(wrong), login]);
    expect({ status, error: JSON.parse(body).error }).toEqual({ status: 401, error: 'invalid_client' });
  });
});

test('curl without a token gets the remedy', async () => {
  const { me } = await start();
  const { status, body } = await curl([me]);
  expect({ status, code: JSON.parse(body).code }).toEqual({ status: 401, code: 'missing_token' });
});

test('a missing curl fails with what to install', async () => {
  await expect(curl(['--version'], 'no-such-curl')).rejects.toThrow(
    'no-such-curl is missing, and this test needs it: install it',
  );
});
