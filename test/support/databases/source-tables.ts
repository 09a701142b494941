/** The same orders as tables of PostgreSQL and MariaDB, and their mapping. */

import { SECRET, startMariadb, startPostgres } from '../servers/database-server.ts';

export const MAPPING = {
  fields: {
    type: { value: 'sales' },
    transaction_id: 'Order No',
    program_id: 'campaign',
    publisher_id: 'site',
    support_id: { value: 1 },
    amount: 'amount',
    remu_publisher: 'share',
    coupon: 'label',
    ip_address: 'ip',
    status: { from: 'state', codes: { approved: 1, declined: 0, open: 2 } },
    validation_date: 'decided',
    created_at: 'made',
    updated_at: 'changed',
  },
  time_zone: 'UTC',
};

const STATES = `approved|declined|open`
  .split('|')
  .map((state) => `'${state}'`)
  .join(', ');

const INSERTS = (quote: string) => `
INSERT INTO orders (${quote}Order No${quote}, campaign, site, amount, share, label, ip, state, decided, made, changed) VALUES
(1, 10, 100, 12.5, 12345.67, 'é😀 "q", \n x', '10.0.0.1', 'approved', '2026-03-01 08:00:00.7', '2026-03-01 07:00:00', '2026-03-01 08:00:00'),
(2, 10, 100, -1, NULL, '', '::1', 'declined', NULL, '2026-03-02 07:00:00', '2026-03-03 08:00:00'),
(3, 11, 100, 99999999.123456, 1234567, NULL, NULL, 'open', NULL, '2026-03-29 01:30:00', '2026-03-29 00:30:00');`;

export const SOURCES = {
  postgres: {
    start: startPostgres,
    schema: `CREATE TYPE state AS ENUM (${STATES});
SET TIME ZONE 'UTC';
CREATE TABLE orders ("Order No" bigint PRIMARY KEY, campaign int, site smallint, amount numeric(20, 6), share real,
  label text, ip inet, state state, decided timestamp(6), made timestamp, changed timestamptz NOT NULL);
${INSERTS('"')}
CREATE TABLE broken AS SELECT * FROM orders;
ALTER TABLE broken ALTER COLUMN state TYPE text;
UPDATE broken SET state = '2', made = 'infinity' WHERE "Order No" = 2;
CREATE VIEW slow AS SELECT orders.* FROM orders, pg_sleep(600);
ALTER DATABASE shop SET timezone = 'Asia/Tokyo';
CREATE TABLE secrets ("Order No" int); CREATE ROLE other LOGIN PASSWORD '${SECRET.replaceAll("'", "''")}';`,
    unreadable: 'other',
    password: 'PGPASSWORD',
  },
  mysql: {
    start: startMariadb,
    schema: `SET sql_mode = ''; SET time_zone = '+00:00';
CREATE TABLE orders (\`Order No\` bigint unsigned PRIMARY KEY, campaign smallint unsigned, site tinyint, amount decimal(20, 6), share float,
  label varchar(50) CHARACTER SET utf8mb4, ip varchar(45) CHARACTER SET latin1, state enum(${STATES}), decided datetime(6), made datetime, changed timestamp(3) NOT NULL);
${INSERTS('`')}
UPDATE orders SET decided = '0000-00-00 00:00:00' WHERE \`Order No\` = 2;
CREATE TABLE dateless AS SELECT * FROM orders;
UPDATE dateless SET changed = '0000-00-00 00:00:00' WHERE \`Order No\` = 2;
CREATE TABLE tiny AS SELECT * FROM orders;
ALTER TABLE tiny MODIFY amount double;
UPDATE tiny SET share = 7.5e-9, amount = 1e-16;
CREATE TABLE broken AS SELECT * FROM orders;
ALTER TABLE broken MODIFY state varchar(20);
SET sql_mode = 'ALLOW_INVALID_DATES'; UPDATE broken SET state = '2', made = '2026-02-31 00:00:00' WHERE \`Order No\` = 2;
CREATE VIEW slow AS SELECT * FROM orders WHERE SLEEP(600) = 0;
SET GLOBAL time_zone = '+09:00';`,
    unreadable: undefined,
    password: 'MYSQL_PWD',
  },
} as const;

export type SourceKind = keyof typeof SOURCES;
