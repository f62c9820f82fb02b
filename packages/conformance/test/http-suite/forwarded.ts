/** What the last proxy wrote, and whether it is an address of 203.0.113.0/24. A caller writes all before it. */
export const forwarded: readonly (readonly [header: string | undefined, isIn: boolean])[] = [
  ['203.0.113.7', true],
  ['198.51.100.1, 203.0.113.7', true],
  ['203.0.113.7, 198.51.100.1', false],
  ['203.0.113.7, 203.0.113.7, 198.51.100.1', false],
  ['203.0.113.7, 10.0.0.1', false],
  ['203.0.113.7:443', true],
  ['::ffff:203.0.113.7', true],
  ['[::ffff:203.0.113.7]:443', true],
  ['2001:db8::7', false],
  ['203.0.113.7%eth0', false],
  ['unknown', false],
  [undefined, false],
];
