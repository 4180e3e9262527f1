"""Columns of doubles are written in the encoding that takes the fewest bytes."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from dicebase.tables.writer import parquet_writer


def test_each_column_of_doubles_has_its_smallest_encoding(tmp_path):
    draw = np.random.default_rng(1)
    few, different = draw.choice(draw.random(5), 20_000), 1 + draw.random(20_000)
    again = draw.random((500, 8))[draw.integers(0, 500, 2500)].ravel()  # rows of eight that repeat
    rows = pa.table({"row": np.arange(20_000), "few": few, "different": different, "again": again})
    with parquet_writer(path := tmp_path / "rows.parquet", rows) as writer:
        writer.write_table(rows)
    found = pq.read_metadata(path).row_group(0)
    said = {(of := found.column(i)).path_in_schema: {*of.encodings} - {"RLE"} for i in range(4)}
    listed = {"PLAIN", "RLE_DICTIONARY"}
    assert said == {"row": listed, "few": listed, "different": {"BYTE_STREAM_SPLIT"}, "again": {"PLAIN"}}
    assert pq.read_table(path).equals(rows)
