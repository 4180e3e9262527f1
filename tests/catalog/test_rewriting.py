"""DuckDB rewrites the text of views and macros whenever their file changes; the text must not change."""

import shutil

import duckdb

from support.every_table import every_table


def texts(connection):
    views = "SELECT schema_name, view_name, sql FROM duckdb_views() WHERE NOT internal"
    macros = "SELECT schema_name, function_name, macro_definition FROM duckdb_functions() WHERE NOT internal"
    return {
        (schema, name): text for query in (views, macros) for schema, name, text in connection.sql(query).fetchall()
    }


def test_rewriting_keeps_the_text_of_views_and_macros(tmp_path_factory, tmp_path):
    catalogue, found = shutil.copy(every_table(tmp_path_factory) / "dicebase.duckdb", tmp_path), []
    for _ in range(3):
        with duckdb.connect(catalogue) as connection:
            found.append(texts(connection))
            connection.execute("CREATE OR REPLACE TABLE other AS SELECT 1; CHECKPOINT")
    first, *later = found
    assert len(first) > 200 and [name for name in first for text in later if first[name] != text[name]] == []
