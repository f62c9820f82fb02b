/** The text of a field; empty when there is none. @internal */
export const fieldText = (form: EventTarget | null, name: string): string => {
  const value = new FormData(form as HTMLFormElement).get(name);
  return typeof value === 'string' ? value : '';
};

/** Seconds since 1970 of a field `datetime-local`, in the zone of the reader. `undefined`: it is empty. @internal */
export const secondsOf = (text: string): number | undefined => {
  const at = new Date(text).getTime();
  return Number.isNaN(at) ? undefined : Math.floor(at / 1_000);
};

/** The value of a field `datetime-local`; empty for what is no time. @internal */
export const localTime = (seconds: number): string => {
  const at = new Date(seconds * 1_000);
  if (Number.isNaN(at.getTime())) return '';
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
};
