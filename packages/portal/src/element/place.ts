import type { Place } from './portal.ts';

const screens = ['keys', 'webhooks', 'activity'] as const;

/** A place as the hash of a URL, such as `#/webhooks/id`. @internal */
export const hashOf = ({ screen, id, isEditing, filter }: Place): string => {
  const path = [screen, ...(id === undefined ? [] : [encodeURIComponent(id)]), ...(isEditing ? ['edit'] : [])];
  const query = filter && Object.keys(filter).length > 0 ? `?${new URLSearchParams(filter)}` : '';
  return `#/${path.join('/')}${query}`;
};

/** The place of a hash; `undefined` for another one. @internal */
export const placeOf = (hash: string): Place | undefined => {
  const [path = '', query = ''] = hash.replace(/^#\//, '').split('?');
  const [name, id, edit] = path.split('/');
  const screen = screens.find((each) => each === name);
  if (screen === undefined || !hash.startsWith('#/')) return undefined;
  const filter = Object.fromEntries(new URLSearchParams(query));
  let decoded: string | undefined;
  try {
    decoded = id === undefined || id === '' ? undefined : decodeURIComponent(id);
  } catch {
    return undefined;
  }
  return {
    screen,
    ...(decoded === undefined ? {} : { id: decoded }),
    ...(edit === 'edit' ? { isEditing: true } : {}),
    ...(Object.keys(filter).length > 0 ? { filter } : {}),
  };
};
