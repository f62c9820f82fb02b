import express from 'express';
import { auth } from 'express-oauth2-jwt-bearer';
import { serveHttp } from '../served.ts';
import { type Claims, issuer, mePath, meRequest, noStore, publicJwk, reached } from './hand-written.ts';
import { listen } from './listen.ts';

serveHttp(async () => {
  const app = express();
  const port = await listen(app);
  app.get('/jwks.json', (_request, response) => void response.json({ keys: [publicJwk] }));
  const jwksUri = `http://127.0.0.1:${port}/jwks.json`;
  app.get(mePath, auth({ issuer, audience: issuer, jwksUri, tokenSigningAlg: 'ES256' }), (request, response) => {
    const answer = reached(request.auth?.payload as Claims | undefined, String(request.params['organisationId']));
    if (answer) response.set(noStore).json(answer);
    else response.status(404).end();
  });
  return { port, me: meRequest() };
});
