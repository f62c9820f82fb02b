import express, { type Request, type Response } from 'express';
import { serveHttp } from '../served.ts';
import { loginAnswer, loginBytes, loginHeaders, meAnswer, mePath, noStore, servedAt } from './hand-written.ts';
import { listen } from './listen.ts';

const bodyOf = async (request: Request): Promise<unknown> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > loginBytes) return undefined;
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
};

const answerWith = (
  response: Response,
  answer: object | undefined,
  headers: Readonly<Record<string, string>>,
): void => {
  if (!answer) return void response.writeHead(401).end();
  const body = JSON.stringify(answer);
  const length = String(Buffer.byteLength(body));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': length, ...headers }).end(body);
};

serveHttp(async () => {
  const app = express();
  // The fast way by hand: without a body parser, etag or `response.json`.
  app.post('/login', async (request, response) => {
    answerWith(response, loginAnswer(await bodyOf(request)), loginHeaders);
  });
  app.get(mePath, (request, response) => {
    answerWith(response, meAnswer(request.headers.authorization, request.params['organisationId'] ?? ''), noStore);
  });
  return servedAt(await listen(app));
});
