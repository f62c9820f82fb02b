import type { Place } from './portal.ts';

const screens = ['keys', 'webhooks', 'activity'] as const;
const filters = ['show', 'state', 'endpointId', 'objectName', 'type', 'objectId', 'eventId', 'from', 'to'];
/** The end of the year 9999, in seconds: a later time is no date of a form. */
const latest = 253_402_300_799;

/** A place as the hash of a URL, such as `#/webhooks/id`. @internal */
export const hashOf = ({ screen, id, isEditing, filter }: Place): string => {
  const path = [screen, ...(id === undefined ? [] : [encodeURIComponent(id)]), ...(isEditing ? ['edit'] : [])];
  const query = filter && Object.keys(filter).length > 0 ? `?${new URLSearchParams(filter)}` : '';
  return `#/${path.join('/')}${query}`;
};

/** Whether a hash may name it: anybody can write a link to the portal. */
const isEndpoint = (id: string): boolean => id === 'new' || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);

const isFilter = (name: string, value: string): boolean =>
  name === 'from' || name === 'to' ? /^\d{1,12}$/.test(value) && Number(value) <= latest : filters.includes(name);

/** The place of a hash; `undefined` for another one. Filters that the portal does not know are left out. @internal */
export const placeOf = (hash: string): Place | undefined => {
  const [path = '', query = ''] = hash.replace(/^#\//, '').split('?');
  const [name, id = '', edit, ...more] = path.split('/');
  const screen = screens.find((each) => each === name);
  if (screen === undefined || !hash.startsWith('#/') || more.length > 0) return undefined;
  if (id !== '' && (screen !== 'webhooks' || !isEndpoint(id))) return undefined;
  const filter = Object.fromEntries([...new URLSearchParams(query)].filter(([each, value]) => isFilter(each, value)));
  return {
    screen,
    ...(id === '' ? {} : { id }),
    ...(edit === 'edit' ? { isEditing: true } : {}),
    ...(Object.keys(filter).length > 0 ? { filter } : {}),
  };
};
