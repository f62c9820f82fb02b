import { PartnerApiError } from './client-error.ts';
import { type ClientClock, untilAborted } from './wait.ts';

/** The access token of a client: one for all callers. */
export interface AccessToken {
  /** The token, after a login when there is none or it expires soon. @throws PartnerApiError */
  get(signal: AbortSignal): Promise<string>;
  /** Forgets a token that was refused. */
  drop(token: string): void;
}

export interface AccessTokenOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tokenUrl: string;
  readonly clock: ClientClock;
  readonly send: (request: Request) => Promise<Response>;
}

/** Form encoding of RFC 6749 §2.3.1 and appendix B. */
const formEncoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

/** A token is renewed this many milliseconds before it expires, or after nine tenths of its life. */
const renewBefore = 60_000;

export const createAccessToken = ({
  clientId,
  clientSecret,
  tokenUrl,
  clock,
  send,
}: AccessTokenOptions): AccessToken => {
  let current: { readonly token: string; readonly renewAt: number } | undefined;
  let login: Promise<string> | undefined;

  const logIn = async (): Promise<string> => {
    const response = await send(
      new Request(tokenUrl, {
        method: 'POST',
        // A redirect would carry the secret elsewhere.
        redirect: 'manual',
        headers: {
          authorization: `Basic ${btoa(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`)}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials&scope=USER',
      }),
    );
    if (response.status === 404)
      throw new PartnerApiError(response, {
        error: 'unexpected_answer',
        error_description:
          `there is no token endpoint at ${tokenUrl}. If the platform has another base path, set tokenUrl, and ` +
          "generate the types from the platform's document.",
      });
    const body: unknown = await response.json().catch(() => undefined);
    const { access_token: token, expires_in: seconds } = (body ?? {}) as Readonly<Record<string, unknown>>;
    if (!response.ok || typeof token !== 'string' || typeof seconds !== 'number')
      throw new PartnerApiError(response, body);
    const life = seconds * 1_000;
    current = { token, renewAt: clock.now() + Math.max(life - renewBefore, life * 0.9) };
    return token;
  };

  return {
    get: (signal) => {
      if (current && clock.now() < current.renewAt) return Promise.resolve(current.token);
      login ??= logIn().finally(() => {
        login = undefined;
      });
      return untilAborted(login, signal);
    },
    drop: (token) => {
      if (current?.token === token) current = undefined;
    },
  };
};
