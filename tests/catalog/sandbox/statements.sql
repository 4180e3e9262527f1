-- Statements that tests send to the sandbox, one a line. {outside} is a folder with secret.csv, to which
-- {results}/link.csv leads; {results} is the folder of the catalogue.

-- reads: read a file, which may be {outside}/secret.csv, or a network address
FROM '{outside}/secret.csv'
SELECT * FROM "{outside}/secret.csv"
SELECT * FROM read_csv('{outside}/secret.csv')
SELECT content FROM read_text('{outside}/secret.csv')
SELECT * FROM read_blob('{outside}/secret.csv')
SELECT * FROM read_json_auto('{outside}/secret.csv')
SELECT * FROM parquet_scan('{results}/certificates/pig_turn/dice=1.parquet')
SELECT * FROM parquet_metadata('{results}/certificates/pig_turn/dice=1.parquet')
SELECT * FROM read_duckdb('{results}/dicebase.duckdb', table_name := 'pig_turn')
SELECT * FROM sniff_csv('{outside}/secret.csv')
SELECT * FROM glob('{outside}/*')
SELECT * FROM glob('{results}/../*/*.csv')
FROM '{results}/link.csv'
SELECT * FROM read_text('{results}/../outside/secret.csv')
SELECT * FROM read_text('/proc/self/environ')
SELECT * FROM read_csv('/dev/stdin')
SELECT * FROM read_text('http://127.0.0.1:9/secret.csv')
SELECT * FROM 's3://bucket/secret.parquet'
SELECT * FROM query('FROM read_text(''{outside}/secret.csv'')')
SELECT * FROM query_table('{outside}/secret.csv')
SELECT * FROM histogram('{outside}/secret.csv', 'words')
SELECT * FROM json_execute_serialized_sql(json_serialize_sql('FROM ''{outside}/secret.csv'''))
SELECT json_serialize_plan('FROM ''{outside}/secret.csv''')
DESCRIBE SELECT * FROM read_csv('{outside}/secret.csv')
SUMMARIZE '{outside}/secret.csv'
EXPLAIN FROM '{outside}/secret.csv'
EXPLAIN ANALYZE FROM '{outside}/secret.csv'
SELECT (SELECT max(words) FROM '{outside}/secret.csv')
SELECT 1 WHERE EXISTS (FROM '{outside}/secret.csv')
FROM pig_turn UNION ALL BY NAME FROM '{outside}/secret.csv'
WITH a AS (FROM '{outside}/secret.csv') FROM a
WITH a AS (FROM "{outside}/secret.csv"), "{outside}/secret.csv" AS (SELECT 1) FROM a
WITH "{outside}/secret.csv" AS (FROM "{outside}/secret.csv") FROM "{outside}/secret.csv"
SELECT (WITH "{outside}/secret.csv" AS (SELECT 1) SELECT 1), * FROM "{outside}/secret.csv"
SELECT list_transform([1], lambda x: (SELECT max(words) FROM '{outside}/secret.csv'))
SELECT * FROM pig_turn, LATERAL (FROM '{outside}/secret.csv')
SELECT * FROM (PIVOT '{outside}/secret.csv' ON words IN ('a') USING count(*))
PIVOT '{outside}/secret.csv' ON words
FROM read_text('{outside}/' || 'secret.csv')
SELECT * FROM postgres_scan('host=127.0.0.1', 'public', 'secret')
SELECT * FROM sqlite_scan('{outside}/secret.csv', 'secret')

-- writes: change tables, files or the session
COPY pig_turn TO '{outside}/stolen.csv'
COPY (SELECT 1) TO '{results}/tables/new.parquet' (FORMAT parquet)
COPY (SELECT 1) TO '{results}/dicebase.duckdb'
COPY data.pig_turn FROM '{outside}/secret.csv'
EXPORT DATABASE '{outside}/stolen'
IMPORT DATABASE '{outside}'
ATTACH '{outside}/new.duckdb'
ATTACH '{results}/dicebase.duckdb' AS again
ATTACH ':memory:' AS mine
COPY FROM DATABASE dicebase TO memory
DETACH dicebase
USE memory
INSERT INTO data.pig_turn FROM data.pig_turn
UPDATE data.pig_turn SET value = 0
DELETE FROM data.pig_turn
TRUNCATE data.pig_turn
MERGE INTO data.pig_turn AS t USING data.pig_turn AS s ON false WHEN NOT MATCHED THEN INSERT BY NAME
WITH gone AS (DELETE FROM data.pig_turn RETURNING *) FROM gone
WITH more AS (INSERT INTO data.pig_turn FROM data.pig_turn RETURNING *) FROM more
WITH zero AS (UPDATE data.pig_turn SET value = 0 RETURNING *) FROM zero
DROP VIEW pig_turn
DROP TABLE data.pig_turn
ALTER TABLE data.pig_turn ADD COLUMN x INTEGER
ALTER VIEW pig_turn RENAME TO x
COMMENT ON VIEW pig_turn IS 'mine'
CREATE TABLE mine AS SELECT 1
CREATE TEMP TABLE mine AS FROM pig_turn
CREATE OR REPLACE VIEW pig_turn AS SELECT 1
CREATE TEMP VIEW pig_turn AS SELECT 1
CREATE TEMP MACRO pig_turn_at(x) AS TABLE SELECT 1
CREATE FUNCTION sorted_dice(x) AS 'x'
CREATE SEQUENCE s
CREATE TYPE t AS ENUM ('a')
CREATE SCHEMA mine
CREATE SECRET (TYPE http, BEARER_TOKEN 'x')
CREATE PERSISTENT SECRET (TYPE http, BEARER_TOKEN 'x')
PRAGMA enable_profiling='json'; PRAGMA profile_output='{outside}/profile.json'; SELECT 1
CALL enable_logging(storage := 'file', storage_path := '{outside}/log')
SELECT * FROM enable_logging(storage := 'file', storage_path := '{outside}/log')
SELECT * FROM enable_profiling(save_location := '{outside}/profile.json')
SELECT write_log('words')

-- state: change settings, transactions and extensions, or wait
SET memory_limit = '100GB'
SET enable_external_access = true
SET SESSION threads = 64
RESET lock_configuration
SET lock_configuration = false
SET VARIABLE x = 1
SET temp_directory = '{outside}'
PRAGMA threads = 64
PRAGMA database_list
PRAGMA add_parquet_key('k', '0123456789112345')
PRAGMA import_database('{outside}')
BEGIN
BEGIN TRANSACTION; DELETE FROM data.pig_turn; COMMIT
COMMIT
ROLLBACK
CHECKPOINT
FORCE CHECKPOINT dicebase
SELECT * FROM force_checkpoint()
CALL checkpoint()
VACUUM
VACUUM ANALYZE data.pig_turn
ANALYZE
INSTALL httpfs
FORCE INSTALL spatial FROM 'http://127.0.0.1:9'
LOAD httpfs
LOAD '{outside}/evil.duckdb_extension'
UPDATE EXTENSIONS
PREPARE p AS SELECT 1
EXECUTE p
DEALLOCATE p
CALL pragma_version()
CALL pig_turn_at(20)
SELECT 1; SELECT 2
SELECT 1; DROP VIEW pig_turn
SELECT setseed(0.5)
SELECT nextval('s')
SELECT sleep_ms(60000)
SELECT pg_sleep(60)

-- machine: show settings and other facts about the machine
SELECT * FROM duckdb_settings()
SELECT * FROM system.main.duckdb_settings()
FROM duckdb_settings
FROM pg_catalog.pg_settings
FROM duckdb_databases
FROM pragma_database_list
SHOW DATABASES
SELECT * FROM duckdb_databases()
SELECT * FROM duckdb_secrets()
SELECT * FROM duckdb_extensions()
SELECT * FROM duckdb_logs()
FROM duckdb_logs
SELECT * FROM duckdb_temporary_files()
SELECT * FROM duckdb_variables()
SELECT * FROM duckdb_memory()
SELECT * FROM pragma_storage_info('data.pig_turn')
SELECT * FROM which_secret('s3://bucket', 's3')
SELECT current_setting('secret_directory')
SELECT CURRENT_SETTING('memory_limit')
SELECT system.main.current_setting('home_directory')
SELECT getvariable('x')
SELECT getenv('HOME')
SELECT __internal_decompress_string(1::UTINYINT)
SELECT finalize('x'::BLOB)
WITH a AS (FROM duckdb_settings), duckdb_settings AS (SELECT 1) FROM a
SELECT * FROM arrow_scan(1, 2, 3)
SELECT * FROM pandas_scan(94231)
SELECT * FROM python_map_function(1)
FROM pytest

-- bombs: need too much time, memory or space
SELECT count(*) FROM range(1000000000000)
SELECT count(*) FROM range(1000000) AS a, range(1000000) AS b WHERE a.range * b.range % 7 = 1
WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n FROM t) SELECT count(*) FROM t
WITH RECURSIVE t AS (SELECT 'x' AS n UNION ALL SELECT n || n FROM t) SELECT max(length(n)) FROM t
SELECT length(repeat('x', 4000000000))
SELECT len(range(200000000))
SELECT len(list_resize([1], 2000000000))
SELECT list(range) FROM range(100000000)
SELECT levenshtein(repeat('a', 100000), repeat('b', 100000))
SELECT * FROM range(100000000) ORDER BY hash(range)
SELECT regexp_replace(repeat('ab', 10000000), '(a|b)*?', 'x', 'g')
SELECT factorial(20) FROM range(100000), range(100000), range(100000) ORDER BY random()
SELECT repeat('x', 1000000) FROM range(1000)
SELECT * FROM range(101)

-- honest: must be answered as on a trusted connection
SELECT * FROM tables
FROM pig_turn
FROM dicebase.main.pig_turn
SELECT * FROM data.pig_turn ORDER BY ALL
SELECT * FROM pig_turn_at(20)
SELECT * FROM pig_turn_at(20, sides := 4)
SELECT * FROM ten_thousand_turn_at(100, '51', rules := 'pocket')
SELECT sorted_dice('51')
SELECT s.*, a.q_value FROM pig_turn s JOIN pig_turn_actions a USING (sides, dice, turn_total) ORDER BY ALL
SELECT turn_total, value - lag(value) OVER (PARTITION BY sides, dice ORDER BY turn_total) FROM pig_turn ORDER BY sides, dice, turn_total
WITH a AS (FROM pig_turn WHERE sides = 6), b AS (SELECT max(value) AS v FROM a) SELECT * FROM b
WITH pig_turn AS (SELECT 1 AS mine) FROM pig_turn
WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t WHERE n < 9) SELECT sum(n) FROM t
SELECT parameters->>'sides' AS sides, value FROM tables WHERE name = 'pig_turn' ORDER BY ALL
SELECT * FROM (PIVOT pig_turn ON dice IN (1, 2) USING avg(value) GROUP BY sides) ORDER BY sides
SELECT list_transform([1, 2], lambda x: x + 1), {'a': 1}, MAP {'k': 2}, DATE '2014-05-29', 1.5::DECIMAL(9, 2)
SELECT p.total, best.action FROM (VALUES (2), (26)) AS p(total), LATERAL (SELECT action FROM pig_turn_actions WHERE sides = 6 AND dice = 1 AND turn_total = p.total ORDER BY regret LIMIT 1) AS best ORDER BY 1
VALUES (1, 'a'), (2, NULL)
SELECT unnest([1, 2])
SELECT * FROM generate_series(1, 3)
DESCRIBE pig_turn
DESCRIBE SELECT * FROM pig_turn_at(20)
SUMMARIZE pig_turn
SHOW TABLES
SHOW ALL TABLES
EXPLAIN SELECT * FROM pig_turn
SELECT column_name, comment FROM duckdb_columns() WHERE table_name = 'pig_turn' ORDER BY 1
SELECT view_name, comment FROM duckdb_views() WHERE NOT internal ORDER BY 1
SELECT table_name FROM information_schema.tables ORDER BY 1
SELECT 'COPY; DROP TABLE x -- read_csv(''/etc/passwd'')' AS words
