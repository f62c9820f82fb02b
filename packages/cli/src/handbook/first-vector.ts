import { json } from './markdown.ts';
import type { Platform } from './platform.ts';
import { type Vector, vectorOf } from './vectors.ts';

/** A small body of the first event: the bytes that the demonstration signs. */
export const sampleBody = ({ objects, envelope }: Platform): string => {
  const [object] = objects;
  const [event] = object?.events ?? [];
  if (!event?.example) return json({});
  const { data, ...rest } = event.example;
  const { id } = Object(data) as { readonly id?: unknown };
  if (envelope === 'specification') {
    const { timestamp, ...names } = rest;
    return JSON.stringify({ timestamp, data: { id }, ...names });
  }
  return JSON.stringify(envelope === 'other' ? event.example : { ...rest, data: { id } });
};

/** The vector of the first signature; `undefined` while no event is sent. */
export const firstVector = (platform: Platform): Vector | undefined => {
  const [scheme] = platform.settings.webhooks.signatures;
  return scheme && platform.objects.length > 0 ? vectorOf(scheme, sampleBody(platform)) : undefined;
};
