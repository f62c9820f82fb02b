/**
 * The time of statements is `fake.now()` where the search path finds it first. So suites turn the clock of a real
 * server, of whose functions the statements know nothing.
 */
export const fakeTime = `
  create schema fake;
  create table fake.clock (ahead interval not null);
  insert into fake.clock values ('0');
  create function fake.now() returns timestamptz language sql stable
    as 'select pg_catalog.now() + (select ahead from fake.clock)';
  create function fake.clock_timestamp() returns timestamptz language sql volatile
    as 'select pg_catalog.clock_timestamp() + (select ahead from fake.clock)';`;

/** In which the clock is found before that of the server. */
export const fakeSearchPath = 'fake,pg_catalog';
