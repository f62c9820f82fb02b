/** The credentials of a partner. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A partner that has logged in. */
export interface Session extends Credentials {
  readonly accessToken: string;
}

export const loginBody = ({ clientId, clientSecret }: Credentials): string =>
  JSON.stringify({
    client_id: clientId,
    client_secret: clientSecret,
    grant_type: 'client_credentials',
    scope: 'USER',
  });

export const login = (baseUrl: string, credentials: Credentials): Promise<Response> =>
  fetch(`${baseUrl}/api/v1/partner/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: loginBody(credentials),
  });
