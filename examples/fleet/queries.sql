-- Questions to the findings table of many recordings, for DuckDB: duckdb -f queries.sql, in the folder that has the folder `findings`.
CREATE OR REPLACE VIEW findings AS FROM read_parquet('findings/**/*.parquet', hive_partitioning = true, hive_types_autocast = false);

-- Builds that are worse than the one before. Their order is that of the numbers: 1.4.2 before 1.4.10. Recordings of no named build are first.
CREATE OR REPLACE VIEW builds AS
SELECT coalesce(build, 'unknown') AS build, found AS findings, files, round(found / files, 3) AS per_file,
       round(found / files - lag(found / files) OVER (PARTITION BY build IS NULL ORDER BY numbers), 3) AS change
FROM (SELECT build, list_transform(string_split(build, '.'), lambda part: try_cast(part AS INTEGER)) AS numbers,
             count(*) FILTER (row = 'finding') AS found, count(*) FILTER (row = 'file') AS files
      FROM findings WHERE error IS NULL GROUP BY build)
ORDER BY numbers NULLS FIRST;
SELECT *, coalesce(change > 0, false) AS worse FROM builds;

-- Levels that leak most: a body passes through another one, or is pushed out on its far side.
CREATE OR REPLACE VIEW levels AS
SELECT level, count(*) FILTER (row = 'finding') AS findings, count(*) FILTER (kind IN ('Tunnels', 'WrongSide')) AS leaks,
       count(*) FILTER (row = 'file') AS files, round(leaks / files, 3) AS leaks_per_file
FROM findings WHERE error IS NULL GROUP BY level ORDER BY leaks_per_file DESC, level;
FROM levels;

-- The fix that would remove most findings, with the value that is enough for half of them, for 90 % and for all.
-- A fix counts if it has a value and needs no second change.
CREATE OR REPLACE VIEW fixes AS
SELECT fix.what AS fix, count(DISTINCT (file, index)) AS findings,
       round(100 * count(DISTINCT (file, index)) / (SELECT count(*) FROM findings WHERE row = 'finding'), 1) AS percent,
       -- A limit from above is a smallest value.
       if(starts_with(fix.what, 'max_'), 'up to', 'from') AS bound,
       list_transform(quantile_disc(if(starts_with(fix.what, 'max_'), -fix.holds, fix.holds), [0.5, 0.9, 1.0]),
                      lambda value: round(abs(value), 4)) AS for_half_90_all
FROM (SELECT file, index, unnest(from_json(fixes, '[{"what": "VARCHAR", "holds": "DOUBLE", "with": "JSON"}]')) AS fix FROM findings WHERE row = 'finding')
WHERE fix.holds IS NOT NULL AND (fix.with IS NULL OR fix.with = 'null')
GROUP BY fix.what ORDER BY findings DESC, fix;
FROM fixes;
