import { pathSegment } from '@partnerkit/core/adapter';

/**
 * Puts ids into the path of a document. The client does so; for a client of your own it is the `pathSerializer` of
 * openapi-fetch.
 * @example
 * const path = fillPath('/security-deposits/{id}', { id: 'dep_1' });
 * @throws TypeError for an id that is absent, empty, `.` or `..`: the request would go to another object.
 * @public
 */
export const fillPath = (template: string, ids: Readonly<Record<string, unknown>> = {}): string =>
  template.replace(/\{(\w+)\}/g, (_place, name: string) => {
    const id = ids[name];
    try {
      return pathSegment(typeof id === 'number' ? String(id) : (id as string));
    } catch (cause) {
      throw new TypeError(`${template}: ${name} is no id.`, { cause });
    }
  });
