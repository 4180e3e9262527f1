"""The explorer: a static site over the tables of a results folder, which needs no server and no network.

    explorer/index.html, explorer.js, explorer.css    the page, from dist
    explorer/data/tables.json                         the tables (site.py)
    explorer/data/<table>/table.json                  columns, units, descriptions, variants
    explorer/data/<table>/<variant>.bin               rules of the dice as data, ranks, values (columns.py)
    explorer/data/<table>/<variant>-<chunk>.bin       answers, by row

Kinds of variant: `stored` answers are looked up by row; in `placed` ones a decision follows from stored values; of a
match of `turns`, and of `sheets`, the values between turns are enough, from which the page solves one turn again; of
`served` ones, boards solved in layers, the page asks the server that it came from.
"""
