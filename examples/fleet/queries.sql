-- Questions to the findings table of many recordings, for DuckDB: duckdb -f queries.sql, in the folder that has the folder `findings`.
CREATE OR REPLACE VIEW findings AS FROM read_parquet('findings/**/*.parquet', hive_partitioning = true, hive_types_autocast = false);

-- Builds that are worse than the one before. Their order is that of the numbers: 1.4.2 before 1.4.10.
CREATE OR REPLACE VIEW builds AS
SELECT build, count(*) FILTER (row = 'finding') AS findings, count(*) FILTER (row = 'file') AS files,
       findings / files AS per_file, per_file - lag(per_file) OVER (ORDER BY numbers) AS change
FROM (SELECT *, list_transform(string_split(build, '.'), lambda part: try_cast(part AS INTEGER)) AS numbers FROM findings WHERE error IS NULL)
GROUP BY build, numbers ORDER BY numbers;
SELECT *, coalesce(change > 0, false) AS worse FROM builds;

-- Levels that leak most: findings in which a body gets through another one.
CREATE OR REPLACE VIEW levels AS
SELECT level, count(*) FILTER (row = 'finding') AS findings, count(*) FILTER (kind = 'Tunnels') AS tunnels,
       count(*) FILTER (row = 'file') AS files, tunnels / files AS tunnels_per_file
FROM findings WHERE error IS NULL GROUP BY level ORDER BY tunnels DESC, level;
FROM levels;

-- The fix that would remove most findings, with the value that is enough for half of them, for 90 % and for all.
-- A fix counts if it has a value and needs no second change.
CREATE OR REPLACE VIEW fixes AS
SELECT fix.what AS fix, count(DISTINCT (file, index)) AS findings,
       round(100 * count(DISTINCT (file, index)) / (SELECT count(*) FROM findings WHERE row = 'finding'), 1) AS percent,
       -- A limit from above is a smallest value.
       if(starts_with(fix.what, 'max_'), 'up to', 'from') AS bound,
       abs(quantile_disc(if(starts_with(fix.what, 'max_'), -fix.holds, fix.holds), [0.5, 0.9, 1.0])) AS for_half_90_all
FROM (SELECT file, index, unnest(from_json(fixes, '[{"what": "VARCHAR", "holds": "DOUBLE", "with": "JSON"}]')) AS fix FROM findings WHERE row = 'finding')
WHERE fix.holds IS NOT NULL AND (fix.with IS NULL OR fix.with = 'null')
GROUP BY fix.what ORDER BY findings DESC, fix;
FROM fixes;
